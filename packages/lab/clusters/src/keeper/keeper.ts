import { Lan, removeNetwork } from '@nodecore/lan';
import { type DiskSpec, runsKept } from '@nodecore/machine';
import { Serial } from '@nodecore/waiting';

import type { ClusterDirectory } from '../directory.ts';
import { type ChaosChange, changeChaos, chaosOf } from '../chaos.ts';
import { ClusterError } from '../errors.ts';
import { KeptContainer } from '../container/kept-container.ts';
import { needsOwnRoot, ownRoot } from '../container/own-root.ts';
import { pulledRoot, registryScheme } from '../container/pulled-root.ts';
import { rootTree } from '../container/root-tree.ts';
import { copyImage, fetchImage } from '../image.ts';
import { keepBootFiles } from '../boot-files.ts';
import { serveLogSink } from './log-sink.ts';
import { chosenNodes, lanOf, type ClusterPlan, type PlannedNode } from '../plan.ts';
import { configurationPort, logSinkPort } from '../ports.ts';
import { redfishCredentials } from '../redfish/credentials.ts';
import { machinesOf } from '../redfish/machines.ts';
import { type RedfishServer, serveRedfish } from '../redfish/server.ts';
import { serveControllers } from '../ipmi/controllers.ts';
import { isInstaller, isOnDisk } from '../request.ts';
import { changeState } from '../state.ts';
import { makeSystemDisk } from '../system-disk.ts';
import { type BootServer, withBootServer } from './boot-server.ts';
import { markConfigured } from '../injection.ts';
import { preallocateDisks } from '../preallocate.ts';
import { serveImageCache } from './image-cache-server.ts';
import { serveConfigurations } from './configuration-server.ts';
import { changeDisks, type DiskChange } from './disk-changes.ts';
import type { Kept } from './kept.ts';
import { KeptNode } from './kept-node.ts';
import type { KeptMachine } from './messages.ts';

type Say = (line: string) => void;

const usualGraceMs = 60_000;

/** What runs a cluster: its network, and the power of its machines. What is asked of it is done one after another. */
export class Keeper {
  readonly #directory: ClusterDirectory;
  readonly #plan: ClusterPlan;
  readonly #cache: string;
  readonly #log: Say;
  readonly #nodes = new Map<string, Kept>();
  readonly #closing = new AbortController();
  readonly #commands = new Serial();
  #lan: Lan | undefined;
  #root: Promise<string> | undefined;
  #boot: BootServer | undefined;
  #redfish: RedfishServer | undefined;
  #controllers: AsyncDisposable | undefined;

  constructor(directory: ClusterDirectory, plan: ClusterPlan, cache: string, log: Say) {
    this.#directory = directory;
    this.#plan = plan;
    this.#cache = cache;
    this.#log = log;
  }

  /** Makes all of the plan that is not there, and switches it on. */
  async create(imageAuth: string | undefined, tell: Say): Promise<void> {
    await this.#commands.run(async () => {
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
    await this.#commands.run(async () => {
      await this.#openLan(() => {});
      for (const planned of this.#plan.nodes)
        if (await runsKept(this.#directory.node(planned))) await this.#open(planned, () => {}, undefined);
    });
  }

  /** @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` for a machine that the cluster does not have; nothing is switched on. */
  async start(names: readonly string[] | undefined, tell: Say): Promise<void> {
    const chosen = this.#chosen(names);
    await this.#commands.run(async () => await this.#powerOn(chosen, tell, undefined));
  }

  /** @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` */
  async stop(names: readonly string[] | undefined, graceMs: number = usualGraceMs): Promise<void> {
    const chosen = this.#chosen(names);
    await this.#commands.run(async () => {
      await Promise.all(chosen.map(async ({ name }) => await this.#nodes.get(name)?.powerOff(graceMs)));
    });
  }

  reflect(): readonly KeptMachine[] {
    return this.#plan.nodes.map(
      ({ name }) => this.#nodes.get(name)?.view() ?? { name, state: 'off', starts: 0 },
    );
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
    await this.#commands.run(async () => {
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
    await this.#commands.run(async () => {
      for (const planned of chosen) await markConfigured(this.#directory, planned);
    });
  }

  /** Changes the disks of a machine. @returns the disk, as it is then. @throws {ClusterError} as {@link changeDisks} */
  async disk(name: string, change: DiskChange): Promise<DiskSpec> {
    const [planned] = this.#chosen([name]);
    if (planned === undefined) throw new TypeError('one name is one machine');
    return await this.#commands.run(async () => {
      const node = await this.#open(planned, () => {}, undefined);
      const machine = node instanceof KeptNode ? node.machine : undefined;
      return await changeDisks(this.#directory, planned, machine, change);
    });
  }

  /** @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`; `ERR_CLUSTER_REQUEST` with all that is impossible; nothing is changed. */
  async chaos(names: readonly string[] | undefined, change: ChaosChange): Promise<void> {
    const chosen = this.#chosen(names);
    await this.#commands.run(async () => {
      await this.#openLan(() => {});
      const next = await changeChaos(this.#directory, this.#plan, chosen, change);
      for (const { name } of chosen) await this.#lan?.setChaos(name, next[name] ?? {});
    });
  }

  /** Leaves the machines to the next keeper. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#commands.run(async () => {
      for (const node of this.#nodes.values()) await node.close();
      await this.#lan?.close();
      await this.#boot?.close();
      await this.#redfish?.[Symbol.asyncDispose]();
      await this.#controllers?.[Symbol.asyncDispose]();
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
    this.#root = this.#freshRoot(say); // an image may have changed
    await this.#openLan(say);
    await keepBootFiles(this.#plan.request.image, this.#directory.boot, (url) =>
      this.#fetch(url, imageAuth, say),
    );
    if (preallocates) {
      for (const planned of chosen) await this.#open(planned, say, imageAuth);
      await preallocateDisks(this.#directory, chosen, say);
    }
    const start = async (planned: PlannedNode): Promise<void> => {
      this.#closing.signal.throwIfAborted();
      const node = await this.#open(planned, say, imageAuth);
      await node.powerOn();
      say(`${planned.name} is on, ${planned.address}, console ${node.console}`);
    };
    // Machines start one after another: each has much to read and write. Of one that fails the others are waited for.
    if (this.#plan.request.container === undefined) for (const planned of chosen) await start(planned);
    else {
      const results = await Promise.allSettled(chosen.map(start));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
    await changeState(this.#directory, { phase: 'running' });
  }

  async #open(planned: PlannedNode, say: Say, imageAuth: string | undefined): Promise<Kept> {
    const there = this.#nodes.get(planned.name);
    if (there !== undefined) return there;
    const { image } = this.#plan.request;
    if ('root' in image) return await this.#openContainer(planned, image.root, say);
    const disk = async (path: string, sizeBytes: number): Promise<void> => {
      if (isInstaller(image)) return; // blank, so that nothing is lost by an installation
      if (!isOnDisk(image)) return await makeSystemDisk(path, sizeBytes, planned.uuid);
      const file = 'url' in image ? await this.#fetch(image.url, imageAuth, say) : image.path;
      await copyImage(file, path, sizeBytes);
    };
    const node = await KeptNode.open(this.#plan, planned, this.#directory, disk, this.#log);
    this.#nodes.set(planned.name, node);
    return node;
  }

  /** The root of containers, which is looked at while the network is made. */
  #freshRoot(say: Say): Promise<string> | undefined {
    const { image } = this.#plan.request;
    if (!('root' in image)) return undefined;
    const root = this.#rootOf(image.root, say);
    root.catch(() => {}); // is the first container's to tell
    return root;
  }

  async #openContainer(planned: PlannedNode, image: string, say: Say): Promise<Kept> {
    const root = (): Promise<string> => (this.#root ??= this.#rootOf(image, say));
    const parts = { plan: this.#plan, node: planned, directory: this.#directory, root, log: this.#log };
    const container = await KeptContainer.open(parts);
    this.#nodes.set(planned.name, container);
    return container;
  }

  async #rootOf(image: string, say: Say): Promise<string> {
    const tree = await this.#treeOf(image, say);
    const { container } = this.#plan.request;
    return needsOwnRoot(container?.mounts ?? []) ? await ownRoot(tree, this.#directory.root) : tree;
  }

  async #treeOf(image: string, say: Say): Promise<string> {
    const { signal } = this.#closing;
    if (image.startsWith(registryScheme)) return await pulledRoot(image, this.#cache, say, signal);
    const path = URL.canParse(image) ? await this.#fetch(image, undefined, say) : image;
    return await rootTree(path, this.#cache, say, signal);
  }

  async #fetch(url: string, auth: string | undefined, say: Say): Promise<string> {
    return await fetchImage({ url, auth }, this.#cache, say, this.#closing.signal);
  }

  /** Where no machine runs in it, a network that is there may be half made: it is made anew. */
  async #openLan(say: Say): Promise<void> {
    if (this.#lan !== undefined) return;
    const planned = lanOf(this.#plan);
    if (planned === undefined) return;
    const { spec, boot } = await withBootServer(planned, this.#plan.request.image, this.#directory.boot);
    this.#boot = boot;
    const running = await Promise.all((await this.#directory.nodes()).map((node) => runsKept(node)));
    if (!running.includes(true)) await removeNetwork(spec);
    say(`network ${spec.cidr} in ${spec.namespace}`);
    this.#lan = await Lan.open(spec, this.#directory.lan);
    if (this.#plan.request.injection === 'http')
      serveConfigurations(await this.#lan.listen(configurationPort), this.#directory, this.#plan.nodes);
    if (this.#plan.request.jsonLogs === true)
      serveLogSink(await this.#lan.listen(logSinkPort), this.#directory, this.#plan.nodes);
    const { imageCache } = this.#plan.request;
    if (imageCache !== undefined) await serveImageCache(await this.#lan.listen(imageCache.port), imageCache);
    const { redfish } = this.#plan;
    if (redfish !== undefined) {
      using credentials = await redfishCredentials(this.#directory, redfish.address);
      this.#redfish = await serveRedfish(redfish, credentials, machinesOf(this.#plan, this, this.#log));
    }
    if (this.#plan.request.ipmi === true) {
      const machines = machinesOf(this.#plan, this, this.#log, 'IPMI');
      this.#controllers = await serveControllers(this.#directory, machines, this.#log);
    }
    const chaos = await chaosOf(this.#directory, this.#plan);
    for (const [name, each] of Object.entries(chaos)) await this.#lan.setChaos(name, each);
  }
}
