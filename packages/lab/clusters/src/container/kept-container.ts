import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { consoleTail, MachineRecord } from '@nodecore/machine/kept';
import { makeDirectory, writeFileAtomic } from '@nodecore/sys';
import { Backoff, Serial, systemClock, within } from '@nodecore/waiting';

import type { ClusterDirectory } from '../directory.ts';
import { ClusterError } from '../errors.ts';
import { isConfigured } from '../injection.ts';
import type { Kept } from '../keeper/kept.ts';
import type { KeptMachine } from '../keeper/messages.ts';
import type { ClusterPlan, PlannedNode } from '../plan.ts';
import { agentOfRoot } from './agent-of-root.ts';
import { bundleOf } from './bundle.ts';
import { nodeCapabilities } from './capabilities.ts';
import { callRuntime } from './call-runtime.ts';
import { endContainer } from './end-container.ts';
import { type ContainerPlace, placeOf } from './place.ts';
import { exitCodeOf, startContainer, untilEnded } from './runner.ts';
import { cgroupLayout } from './runtime.ts';

/** What the agent's process leaves when the node is to begin anew; `packages/apps/agent` says the same. */
const rebootCode = 75;

/** What a kept container is made of. */
export type KeptContainerParts = {
  readonly plan: ClusterPlan;
  readonly node: PlannedNode;
  readonly directory: ClusterDirectory;
  /** The directory that is its root. */
  readonly root: () => Promise<string>;
  readonly log: (line: string) => void;
};

/** A node in a container, and its power: one that reboots is started again, one that ends with an error is said to have crashed. */
export class KeptContainer implements Kept {
  readonly #parts: KeptContainerParts;
  readonly #place: ContainerPlace;
  readonly #backoff = new Backoff({ firstMs: 250, largestMs: 10_000 });
  readonly #commands = new Serial();
  #ended: Promise<void> | undefined;
  #starts = 0;
  #crashed: string | undefined;
  /** Nobody wants it on: it was told to go off, or is another keeper's. */
  #leave = false;
  #closed = false;

  private constructor(parts: KeptContainerParts) {
    this.#parts = parts;
    this.#place = placeOf(parts.plan, parts.node, parts.directory);
  }

  /** Takes the container over when it runs. */
  static async open(parts: KeptContainerParts): Promise<KeptContainer> {
    const container = new KeptContainer(parts);
    const place = container.#place;
    for (const path of [place.path, place.state, place.data]) await makeDirectory(path);
    const [runner] = (await MachineRecord.read(place.path)).programs;
    if (runner !== undefined) container.#follow(untilEnded(runner, () => container.#closed));
    return container;
  }

  get name(): string {
    return this.#parts.node.name;
  }

  get isOn(): boolean {
    return this.#ended !== undefined;
  }

  get console(): string {
    return this.#place.console;
  }

  /**
   * @param after what it is started after; all that needs none of it is done meanwhile.
   * @throws {ClusterError} `ERR_CLUSTER_MACHINE` with what the runtime says; `ERR_CLUSTER_IMAGE`; and what `after` rejects with
   */
  async powerOn({ after }: { readonly after?: Promise<void> } = {}): Promise<void> {
    await this.#commands.run(async () => {
      this.#leave = false;
      if (this.isOn) return;
      const { plan, node, directory } = this.#parts;
      await endContainer(plan, node, directory); // of a start that was killed
      this.#starts += 1;
      this.#crashed = undefined;
      await this.#writeBundle();
      const record = await MachineRecord.read(this.#place.path);
      try {
        this.#follow((await startContainer(this.#place, record, after)).ended);
      } catch (error) {
        await endContainer(plan, node, directory);
        await after; // what that failed with is told as it is
        const said = await consoleTail(this.#place.path);
        throw new ClusterError('ERR_CLUSTER_MACHINE', `${this.name} did not start: ${said}`, {
          cause: error,
        });
      }
      this.#parts.log(`${this.name} running`);
    });
  }

  /** Asks its agent to end, and kills all of it after the grace. */
  async powerOff(graceMs: number): Promise<void> {
    await this.#commands.run(async () => {
      this.#leave = true;
      this.#crashed = undefined;
      const ending = this.#ended;
      if (ending !== undefined && graceMs > 0 && (await this.#asked('TERM')))
        await within(
          systemClock,
          graceMs,
          ending.then(() => true),
        );
      await this.#end();
    });
  }

  /** Ends it at once and starts it again. */
  async reboot(): Promise<void> {
    await this.#commands.run(async () => {
      this.#leave = true;
      await this.#end();
    });
    await this.powerOn();
  }

  view(): KeptMachine {
    const lastLines = this.#crashed;
    return {
      name: this.name,
      state: lastLines === undefined ? (this.isOn ? 'running' : 'off') : 'crashed',
      starts: this.#starts,
      ...(lastLines !== undefined && { lastLines }),
    };
  }

  /** It goes on without this process. */
  async close(): Promise<void> {
    this.#leave = true;
    this.#closed = true;
  }

  async #end(): Promise<void> {
    const { plan, node, directory } = this.#parts;
    await endContainer(plan, node, directory);
    await this.#ended;
  }

  /** @returns whether the runtime has told it. */
  async #asked(signal: string): Promise<boolean> {
    return await callRuntime(this.#place, 'kill', this.#place.id, signal).then(
      () => true,
      () => false, // it has ended by itself
    );
  }

  #follow(ending: Promise<void>): void {
    this.#ended = this.#followed(ending);
  }

  async #followed(ending: Promise<void>): Promise<void> {
    await ending;
    this.#ended = undefined;
    if (this.#closed) return;
    const code = await exitCodeOf(this.#place);
    this.#parts.log(`${this.name} off (${this.#leave ? 'requested' : endingWords(code)})`);
    if (!this.#leave) this.#isOff(code);
  }

  #isOff(code: number | undefined): void {
    void this.#after(code).catch((error: unknown) => {
      this.#crashed = String(error);
      this.#parts.log(`${this.name} ${String(error)}`);
    });
  }

  async #after(code: number | undefined): Promise<void> {
    if (code === 0) return;
    if (code !== rebootCode) {
      const said = await consoleTail(this.#place.path);
      if (!this.#leave) this.#crashed = `${endingWords(code)}: ${said}`;
      return;
    }
    await systemClock.sleep(this.#backoff.next());
    if (!this.#leave) await this.powerOn();
  }

  async #writeBundle(): Promise<void> {
    const { plan, node, directory } = this.#parts;
    const { path, state, data, bundle, id } = this.#place;
    const { lan, request } = plan;
    const resolver = join(path, 'resolv.conf');
    await writeFile(resolver, `search ${lan?.domain}\nnameserver ${lan?.gateway}\n`, { mode: 0o644 });
    // Its firmware would say it; of this computer's it sees nothing.
    await writeFileAtomic(join(state, 'machine-uuid'), `${node.uuid}\n`);
    const mounts = (request.container?.mounts ?? []).map((mount) => ({
      ...mount,
      ...(mount.type === 'volume' && { source: directory.volume(mount.source ?? '') }),
    }));
    for (const { type, source } of mounts) if (type === 'volume') await makeDirectory(source ?? '');
    const configuration = (await isConfigured(directory, node))
      ? undefined
      : await readFile(join(directory.secrets, `${node.name}.yaml`), 'utf8');
    const root = await this.#parts.root();
    const made = bundleOf({
      id,
      hostname: node.name,
      root,
      agent: await agentOfRoot(root),
      state,
      data,
      resolver,
      network: `/run/netns/${id}`,
      cpus: node.cpus,
      memoryMib: node.memoryMib,
      mounts,
      configuration,
      capabilities: nodeCapabilities(await readFile('/proc/self/status', 'utf8')),
      cgroups: cgroupLayout(),
    });
    await writeFileAtomic(bundle, `${JSON.stringify(made, undefined, 2)}\n`);
  }
}

/** As of a machine. */
function endingWords(code: number | undefined): string {
  if (code === 0) return 'guest-shutdown';
  return code === rebootCode ? 'guest-reset' : `exit code ${code ?? 'unknown'}`;
}
