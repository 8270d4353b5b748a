import type { SystemStatResponse } from '../../gen/nodecore-v1.js';
import type { DeviceRate, History, NodeModel, Part, Processor, Rates } from './model.ts';
import { valueOf } from './model.ts';
import { cpuPercent, perSecond, type Transfer } from './rates.ts';

/** As many as the widest window shows. */
const longest = 300;

/** Makes percents of what processors did between two readings. */
export class ProcessorReadings {
  #before: SystemStatResponse | undefined;

  next(after: SystemStatResponse): Processor {
    const before = this.#before;
    this.#before = after;
    const known = new Map(before?.processors.map((each) => [each.name, each]));
    return {
      count: after.processors.length,
      percent: cpuPercent(before?.total, after.total),
      each: after.processors.map((each) => ({
        name: each.name,
        percent: cpuPercent(known.get(each.name), each),
      })),
    };
  }
}

type Counters<Device> = { readonly total?: Device | undefined; readonly devices: readonly Device[] };

/** Makes rates of what devices transferred between two readings. */
export class TransferReadings<Device extends { readonly name: string }> {
  readonly #transferOf: (device: Device) => Transfer;
  #before: { readonly atMs: number; readonly devices: ReadonlyMap<string, Transfer> } | undefined;

  constructor(transferOf: (device: Device) => Transfer) {
    this.#transferOf = transferOf;
  }

  next({ total, devices }: Counters<Device>, atMs: number): Rates {
    const before = this.#before;
    const now = new Map(
      [...(total === undefined ? [] : [total]), ...devices].map((each) => [
        each.name,
        this.#transferOf(each),
      ]),
    );
    this.#before = { atMs, devices: now };
    const rate = (name: string): DeviceRate => {
      const [old, fresh] = [before?.devices.get(name), now.get(name)];
      const elapsedMs = atMs - (before?.atMs ?? atMs);
      return {
        name,
        into: perSecond(old?.into, fresh?.into, elapsedMs),
        out: perSecond(old?.out, fresh?.out, elapsedMs),
      };
    };
    return [rate(total?.name ?? ''), ...devices.map(({ name }) => rate(name))];
  }
}

type Counted = Pick<NodeModel, 'processor' | 'memory' | 'network' | 'disks'>;

/** The histories with what is known now; of a node that does not answer, a gap. */
export function extended(histories: NodeModel['histories'], counted: Counted): NodeModel['histories'] {
  const memory = valueOf(counted.memory);
  const [network, disks] = [totalOf(counted.network), totalOf(counted.disks)];
  const newest: Readonly<Record<keyof NodeModel['histories'], number | undefined>> = {
    processor: valueOf(counted.processor)?.percent,
    memory: memory === undefined ? undefined : share(memory.usedBytes, memory.totalBytes),
    received: network?.into,
    sent: network?.out,
    read: disks?.into,
    written: disks?.out,
  };
  const add = (name: keyof typeof newest): History => [...histories[name], newest[name]].slice(-longest);
  return {
    processor: add('processor'),
    memory: add('memory'),
    received: add('received'),
    sent: add('sent'),
    read: add('read'),
    written: add('written'),
  };
}

function totalOf(rates: Part<Rates>): DeviceRate | undefined {
  return valueOf(rates)?.[0];
}

/** From 0 to 1; undefined where one of them is not known. */
export function share(part: bigint | undefined, whole: bigint | undefined): number | undefined {
  return part === undefined || whole === undefined || whole === 0n ? undefined : Number(part) / Number(whole);
}
