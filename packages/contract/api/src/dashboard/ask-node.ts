import type {
  KernelLogRecord,
  PressureResponse,
  DiskCounters,
  NetworkDeviceCounters,
} from '../../gen/nodecore-v1.js';
import type { CallOptions } from '../client/channel.ts';
import { ApiError } from '../errors.ts';
import { useOf } from '../readings/memory-use.ts';
import { Samples } from '../readings/process-samples.ts';
import { volumeSpaces } from '../readings/volume-spaces.ts';
import { decodeSpec } from '../spec.ts';
import { ProcessorReadings, TransferReadings } from './counted.ts';
import type { DashboardNode } from './dashboard-node.ts';
import type { Activity, Machine, NodeModel, Part } from './model.ts';
import { transferOfDisk, transferOfInterface } from './rates.ts';

/** Of the kernel's log; who scrolls further back has osctl dmesg. */
const mostRecords = 1000;
/** As many cgroups as a screen has room for. */
const mostCgroups = 8;

export type Counted = Pick<NodeModel, 'version' | 'processor' | 'memory' | 'load' | 'network' | 'disks'>;
export type Detailed = Pick<NodeModel, 'pressure' | 'activity' | 'machine' | 'volumes' | 'services' | 'log'>;

type KernelLog = {
  readonly bootId: string;
  readonly afterSequence?: bigint;
  readonly records: readonly KernelLogRecord[];
};

/** Asks one node, and keeps what is needed to make rates of its counters. */
export class NodeQuestions {
  readonly #target: DashboardNode;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  readonly #processors = new ProcessorReadings();
  readonly #network = new TransferReadings<NetworkDeviceCounters>(transferOfInterface);
  readonly #disks = new TransferReadings<DiskCounters>(transferOfDisk);
  #samples = new Samples();
  #log: KernelLog = { bootId: '', records: [] };

  constructor(target: DashboardNode, signal: AbortSignal, now: () => number) {
    this.#target = target;
    this.#signal = signal;
    this.#now = now;
  }

  /** What every node is asked. @throws {ApiError} when it does not answer. */
  async counters(): Promise<Counted> {
    const { client } = this.#target;
    const options = this.#options();
    // The one call that every node answers to everybody who may look at it: what fails here, fails.
    const version = await client.version(options);
    const [processor, memory, load, network, disks] = await Promise.all([
      this.#part(async () => this.#processors.next(await client.counters.system(options))),
      this.#part(async () => useOf((await client.counters.memory(options)).values)),
      this.#part(() => client.counters.loadAverage(options)),
      this.#part(async () => this.#network.next(await client.counters.interfaces(options), this.#now())),
      this.#part(async () => this.#disks.next(await client.counters.disks(options), this.#now())),
    ]);
    return { version, processor, memory, load, network, disks };
  }

  /** What only the node that is shown is asked. @throws {ApiError} when it does not answer. */
  async details(): Promise<Detailed> {
    const { client } = this.#target;
    const options = this.#options();
    const [pressure, activity, machine, volumes, services, log] = await Promise.all([
      this.#part(() => this.#pressure(options)),
      this.#part(() => this.#activity(options)),
      this.#part(() => this.#machine(options)),
      this.#part(async () => (await volumeSpaces(client, options)).spaces),
      this.#part(async () => (await client.services.list(options)).services),
      this.#part(() => this.#records(options)),
    ]);
    return { pressure, activity, machine, volumes, services, log };
  }

  /** Half a sample of a lost connection is none, and one of long ago says nothing of now. */
  forget(): void {
    this.#samples = new Samples();
  }

  #options(): CallOptions {
    return { node: this.#target.node, signal: this.#signal, timeoutMs: 10_000 };
  }

  /** A node that is lost is lost as a whole; what it refuses, or does not have, is missing by itself. */
  async #part<Value>(ask: () => Promise<Value>): Promise<Part<Value>> {
    try {
      return { value: await ask() };
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof ApiError) || error.code === 'ERR_API_UNREACHABLE') throw error;
      return { failure: this.#target.explain(error) };
    }
  }

  async #pressure(options: CallOptions): Promise<PressureResponse> {
    for await (const answer of this.#target.client.pressure({ top: mostCgroups, names: true }, options))
      return answer;
    return { cgroups: [], total: 0 };
  }

  async #activity(options: CallOptions): Promise<Activity> {
    let found: Activity = { processes: [], uptimeMs: 0 };
    for await (const answer of this.#target.client.activity.processes({}, options)) {
      const processes = this.#samples.add(answer);
      if (processes !== undefined) found = { processes, uptimeMs: Number(answer.clockMicros / 1000n) };
    }
    return found;
  }

  async #machine(options: CallOptions): Promise<Machine> {
    const type = 'MachineStatuses.runtime.nodecore.dev';
    const { resource } = await this.#target.client.get(
      { type, namespace: 'runtime', id: 'machine' },
      options,
    );
    const { stage, status } = (resource === undefined ? {} : decodeSpec(resource.spec)) as {
      readonly stage?: string;
      readonly status?: { readonly ready: boolean; readonly unmetConditions: Machine['unmet'] };
    };
    return { stage: stage ?? '-', ready: status?.ready === true, unmet: status?.unmetConditions ?? [] };
  }

  /** Only what is new is asked for; of another boot everything comes. */
  async #records(options: CallOptions): Promise<readonly KernelLogRecord[]> {
    const { bootId, afterSequence } = this.#log;
    const request = { bootId, ...(afterSequence !== undefined && { afterSequence }) };
    for await (const answer of this.#target.client.dmesg(request, options)) {
      const isSame = answer.bootId === this.#log.bootId;
      const last = answer.lastSequence ?? (isSame ? this.#log.afterSequence : undefined);
      this.#log = {
        bootId: answer.bootId,
        records: [...(isSame ? this.#log.records : []), ...answer.records].slice(-mostRecords),
        ...(last !== undefined && { afterSequence: last }),
      };
    }
    return this.#log.records;
  }
}
