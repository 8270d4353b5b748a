import { flushCompileCache } from 'node:module';
import { join } from 'node:path';

import type { Accelerator, DiskSpec } from '@nodecore/machine';
import { runsKept } from '@nodecore/machine/kept';
import { Serial } from '@nodecore/waiting';

import type { ClusterDirectory } from '../directory.ts';
import { type ChaosChange, changeChaos } from '../chaos.ts';
import { ClusterError } from '../errors.ts';
import { chosenNodes } from '../chosen-nodes.ts';
import type { ClusterPlan, PlannedNode } from '../plan.ts';
import { ownFactory } from '../factory-origin.ts';
import { rotateLog } from '../rotate-log.ts';
import { changeState } from '../state.ts';
import { markConfigured } from '../injection.ts';
import type { DiskChange } from './disk-changes.ts';
import { Images } from './images.ts';
import type { Kept } from './kept.ts';
import type { KeptMachine } from './messages.ts';
import { ClusterNetwork, type NetworkSteps } from './network.ts';

type Say = (line: string) => void;

const usualGraceMs = 60_000;
/** How often it is looked at how large logs are. */
const rotationMs = 5000;

/**
 * What runs a cluster: its network, and the power of its machines. What is asked of it is done one after another. What few clusters
 * have is loaded by one that has it, as everybody waits for the rest.
 */
export class Keeper {
  readonly #directory: ClusterDirectory;
  readonly #plan: ClusterPlan;
  readonly #log: Say;
  readonly #nodes = new Map<string, Kept>();
  readonly #closing = new AbortController();
  readonly #commands = new Serial();
  /** How many commands run or wait. */
  #asked = 0;
  /** It is about to end, and takes no command any more. */
  #retired = false;
  readonly #logs = new Serial();
  readonly #rotation: NodeJS.Timeout;
  readonly #network: ClusterNetwork;
  readonly #images: Images;
  readonly #cache: string;
  #verdict: Promise<Accelerator> | undefined;

  constructor(directory: ClusterDirectory, plan: ClusterPlan, cache: string, log: Say) {
    this.#directory = directory;
    this.#plan = plan;
    this.#log = log;
    this.#cache = cache;
    this.#network = new ClusterNetwork(plan, directory, this, log);
    this.#rotation = setInterval(() => void this.#logs.run(() => this.#rotateLogs()), rotationMs).unref();
    this.#images = new Images(plan, directory, cache, this.#closing.signal);
  }

  /** Guests say as much as they like: what all of them have said would fill the disk of this computer. */
  async #rotateLogs(): Promise<void> {
    const nodes = this.#plan.nodes.map((node) => this.#directory.console(node));
    const own = join(this.#directory.lan, 'dnsmasq.log');
    for (const path of [...nodes, own])
      await rotateLog(path).catch((error: unknown) => this.#log(String(error)));
  }

  /** Makes all of the plan that is not there, and switches it on. */
  async create(imageAuth: string | undefined, tell: Say): Promise<void> {
    await this.#run(async () => {
      try {
        await changeState(this.#directory, { phase: 'creating' });
        await this.#powerOn(this.#plan.nodes, tell, imageAuth, this.#plan.request.preallocates);
      } catch (error) {
        await changeState(this.#directory, { phase: 'failed' });
        throw error;
      }
    });
  }

  /** Takes over the machines that run, and serves their network. None is switched on. */
  async keep(): Promise<void> {
    await this.#run(async () => {
      await this.#openLan(() => {});
      for (const planned of this.#plan.nodes)
        if (await runsKept(this.#directory.node(planned))) await this.#open(planned, () => {}, undefined);
    });
  }

  /** @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` for a machine that the cluster does not have; nothing is switched on. */
  async start(names: readonly string[] | undefined, tell: Say): Promise<void> {
    const chosen = this.#chosen(names);
    await this.#run(async () => await this.#powerOn(chosen, tell, undefined));
  }

  /** @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` */
  async stop(names: readonly string[] | undefined, graceMs: number = usualGraceMs): Promise<void> {
    const chosen = this.#chosen(names);
    await this.#run(async () => {
      await Promise.all(chosen.map(async ({ name }) => await this.#nodes.get(name)?.powerOff(graceMs)));
    });
  }

  reflect(): readonly KeptMachine[] {
    return this.#plan.nodes.map(
      ({ name }) => this.#nodes.get(name)?.view() ?? { name, state: 'off', starts: 0 },
    );
  }

  /** What machines do, and how far those are that come up. */
  async look(): Promise<readonly KeptMachine[]> {
    return await this.#network.look(this.reflect());
  }

  /**
   * @param fromNetwork they start from the network this once, whatever is on their disks
   * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`; `ERR_CLUSTER_REQUEST` where the network has nothing to start from
   */
  async reboot(names: readonly string[] | undefined, fromNetwork = false): Promise<void> {
    const chosen = this.#chosen(names);
    const { name, image } = this.#plan.request;
    if (fromNetwork && !('pxe' in image)) {
      const words = `${name} has nothing on its network to start from: create it with --presets pxe`;
      throw new ClusterError('ERR_CLUSTER_REQUEST', words);
    }
    await this.#run(async () => {
      await this.#openLan(() => {});
      for (const planned of chosen) {
        const node = await this.#open(planned, () => {}, undefined);
        await node.reboot(fromNetwork ? { boot: { kind: 'network' } } : {});
      }
    });
  }

  /** These have their configurations, and are given none any more. @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` */
  async configured(names: readonly string[] | undefined): Promise<void> {
    const chosen = this.#chosen(names);
    await this.#run(async () => {
      for (const planned of chosen) await markConfigured(this.#directory, planned);
    });
  }

  /** Changes the disks of a machine. @returns the disk, as it is then. @throws {ClusterError} as {@link changeDisks} */
  async disk(name: string, change: DiskChange): Promise<DiskSpec> {
    const [planned] = this.#chosen([name]);
    if (planned === undefined) throw new TypeError('one name is one machine');
    const { changeDisks } = await import('./disk-changes.ts');
    const { KeptNode } = await import('./kept-node.ts');
    return await this.#run(async () => {
      const node = await this.#open(planned, () => {}, undefined);
      const machine = node instanceof KeptNode ? node.machine : undefined;
      return await changeDisks(this.#directory, planned, machine, change);
    });
  }

  /** @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`; `ERR_CLUSTER_REQUEST` with all that is impossible; nothing is changed. */
  async chaos(names: readonly string[] | undefined, change: ChaosChange): Promise<void> {
    const chosen = this.#chosen(names);
    await this.#run(async () => {
      await this.#openLan(() => {});
      const next = await changeChaos(this.#directory, this.#plan, chosen, change);
      for (const { name } of chosen) await this.#network.setChaos(name, next[name] ?? {});
    });
  }

  /**
   * Ends the keeper when no machine is on and no command runs or waits: who has just asked it to start some gets them.
   *
   * @returns whether it ends; then it takes no command any more.
   */
  retire(): boolean {
    const isOn = [...this.#nodes.values()].some((node) => node.isOn);
    if (!isOn && this.#asked === 0) this.#retired = true;
    return this.#retired;
  }

  /** Leaves the machines to the next keeper. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#rotation);
    await this.#commands.run(async () => {
      for (const node of this.#nodes.values()) await node.close();
      await this.#network.close();
      await this.#images[Symbol.asyncDispose]();
    });
  }

  async #run<T>(command: () => Promise<T>): Promise<T> {
    if (this.#retired)
      throw new ClusterError('ERR_CLUSTER_KEEPER', `the keeper of ${this.#directory.name} is ending`);
    this.#asked += 1;
    return await this.#commands.run(async () => {
      try {
        return await command();
      } finally {
        this.#asked -= 1;
        // What it has loaded meanwhile; a keeper may be killed at any time, and never end by itself.
        if (this.#asked === 0) setImmediate(flushCompileCache);
      }
    });
  }

  #chosen(names: readonly string[] | undefined): readonly PlannedNode[] {
    return chosenNodes(this.#plan, names);
  }

  async #powerOn(
    chosen: readonly PlannedNode[],
    tell: Say,
    imageAuth: string | undefined,
    preallocates = false,
  ): Promise<void> {
    const say = (line: string): void => {
      this.#log(line);
      tell(line);
    };
    this.#images.refresh(say);
    const [cleared, joined] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const network = this.#openLan(say, { cleared: cleared.resolve, joined: joined.resolve });
    for (const step of [cleared, joined]) {
      network.then(step.resolve, step.reject); // who waits for it tells
      step.promise.catch(() => {});
    }
    const areContainers = this.#plan.request.container !== undefined;
    if (!areContainers) {
      await network;
      const { keepBootFiles } = await import('../boot-files.ts');
      const fetch = (url: string): Promise<string> => this.#images.fetch({ url, auth: imageAuth }, say);
      await keepBootFiles(this.#plan.request.image, this.#directory, fetch);
      await this.#accelerator(say, imageAuth);
    }
    if (preallocates) {
      const { preallocateDisks } = await import('../preallocate.ts');
      for (const planned of chosen) await this.#open(planned, say, imageAuth);
      await preallocateDisks(this.#directory, chosen, say);
    }
    const begun: Kept[] = [];
    const start = async (planned: PlannedNode): Promise<void> => {
      this.#closing.signal.throwIfAborted();
      await cleared.promise; // a shell that waits in a record would be taken for a node that runs
      const node = await this.#open(planned, say, imageAuth);
      if (!node.isOn) {
        await this.#network.forget(planned);
        begun.push(node);
      }
      await node.powerOn(areContainers ? { after: joined.promise } : {});
      say(`${planned.name} is on, ${planned.address}, console ${node.console}`);
    };
    // Machines start one after another: each has much to read and write. Of one that fails the others are waited for.
    if (!areContainers) for (const planned of chosen) await start(planned);
    else {
      const results = await Promise.allSettled([network, ...chosen.map(start)]);
      // It failed behind the moment in which they began: nobody serves them, and what was asked of their frames does not happen.
      if (results[0].status === 'rejected')
        for (const off of await Promise.allSettled(begun.map((node) => node.powerOff(0))))
          if (off.status === 'rejected') say(String(off.reason)); // why the network failed is what is thrown
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
    await this.#network.tellWays(say);
    await changeState(this.#directory, { phase: 'running' });
  }

  /** What runs the machines. */
  async #accelerator(say: Say, imageAuth?: string): Promise<Accelerator> {
    const decide = async (): Promise<Accelerator> => {
      const { verdictOf } = await import('./verdict.ts');
      const accelerator = await verdictOf({
        plan: this.#plan,
        directory: this.#directory,
        cache: this.#cache,
        fetch: (url) => this.#images.fetch({ url, auth: imageAuth }, say),
        say,
        signal: this.#closing.signal,
      });
      await changeState(this.#directory, { accelerator });
      return accelerator;
    };
    this.#verdict ??= decide();
    return await this.#verdict.catch((error: unknown) => {
      this.#verdict = undefined;
      throw error;
    });
  }

  async #open(planned: PlannedNode, say: Say, imageAuth: string | undefined): Promise<Kept> {
    const there = this.#nodes.get(planned.name);
    if (there !== undefined) return there;
    const { image } = this.#plan.request;
    if ('root' in image) return await this.#openContainer(planned, image.root, say);
    const { diskMaker } = await import('./disk-maker.ts');
    const disk = diskMaker(image, planned, (url) =>
      this.#images.fetch({ url, auth: imageAuth, unpacks: true }, say),
    );
    const { KeptNode } = await import('./kept-node.ts');
    const node = await KeptNode.open(
      this.#plan,
      planned,
      this.#directory,
      disk,
      () => this.#accelerator(this.#log),
      this.#log,
    );
    this.#nodes.set(planned.name, node);
    return node;
  }

  async #openContainer(planned: PlannedNode, image: string, say: Say): Promise<Kept> {
    const root = (): Promise<string> => this.#images.root(image, say);
    const parts = { plan: this.#plan, node: planned, directory: this.#directory, root, log: this.#log };
    const { KeptContainer } = await import('../container/kept-container.ts');
    const container = await KeptContainer.open(parts);
    this.#nodes.set(planned.name, container);
    return container;
  }

  async #openLan(say: Say, steps?: NetworkSteps): Promise<void> {
    const isNew = await this.#network.open(say, steps);
    // Who runs already goes on without it, and so does who starts from what is here.
    if (isNew && this.#plan.request.factory === ownFactory)
      void this.#images.startFactory(say).catch((error: unknown) => this.#log(String(error)));
  }
}
