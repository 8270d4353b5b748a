import { Lan } from '@nodecore/lan';

import type { ClusterDirectory } from '../directory.ts';
import { ClusterError } from '../errors.ts';
import { fetchImage } from '../image.ts';
import { lanOf, type ClusterPlan } from '../plan.ts';
import { changeState } from '../state.ts';
import { KeptNode } from './kept-node.ts';
import type { KeptMachine } from './messages.ts';

/** What runs a cluster: its network, and the power of its machines. */
export class Keeper {
  readonly #directory: ClusterDirectory;
  readonly #plan: ClusterPlan;
  readonly #cache: string;
  readonly #log: (line: string) => void;
  readonly #nodes: KeptNode[] = [];
  readonly #closing = new AbortController();
  #lan: Lan | undefined;
  #creating: Promise<void> | undefined;

  constructor(directory: ClusterDirectory, plan: ClusterPlan, cache: string, log: (line: string) => void) {
    this.#directory = directory;
    this.#plan = plan;
    this.#cache = cache;
    this.#log = log;
  }

  /** Makes all of the plan. A second call waits for the first. */
  async create(imageAuth: string | undefined, tell: (line: string) => void): Promise<void> {
    this.#creating ??= this.#create(imageAuth, tell);
    await this.#creating;
  }

  reflect(): readonly KeptMachine[] {
    return this.#nodes.map((node) => node.view());
  }

  /** @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` for a machine that the cluster does not have. */
  async reboot(name: string | undefined): Promise<void> {
    const chosen = this.#nodes.filter((node) => name === undefined || node.name === name);
    if (chosen.length === 0)
      throw new ClusterError('ERR_CLUSTER_NOT_FOUND', `no machine ${name} in ${this.#plan.request.name}`);
    for (const node of chosen) await node.reboot();
  }

  /** Leaves the machines to whoever comes. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#creating?.catch(() => {});
    for (const node of this.#nodes) await node.close();
    await this.#lan?.close();
  }

  async #create(imageAuth: string | undefined, tell: (line: string) => void): Promise<void> {
    const { signal } = this.#closing;
    const say = (line: string): void => {
      this.#log(line);
      tell(line);
    };
    try {
      await changeState(this.#directory, { phase: 'creating' });
      const spec = lanOf(this.#plan);
      say(`network ${spec.cidr} in ${spec.namespace}`);
      this.#lan = await Lan.open(spec, this.#directory.lan);
      const { image } = this.#plan.request;
      const source = { ...image, auth: imageAuth };
      const file = 'url' in source ? await fetchImage(source, this.#cache, say, signal) : source.path;
      for (const planned of this.#plan.nodes) {
        signal.throwIfAborted();
        const node = await KeptNode.open(this.#plan, planned, this.#directory, file, this.#log);
        this.#nodes.push(node);
        await node.powerOn();
        say(`${planned.name} is on, ${planned.address}, console ${node.console}`);
      }
      await changeState(this.#directory, { phase: 'running' });
    } catch (error) {
      await changeState(this.#directory, { phase: 'failed' });
      throw error;
    }
  }
}
