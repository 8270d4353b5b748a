import type { AddonHandle } from './addon-handle.ts';

/** `Table` of table.h, as typed arrays. */
export type AddonTable = {
  readonly numbers: Float64Array;
  /** Where each text ends in the bytes of all. */
  readonly ends: Uint32Array;
  readonly text: Buffer;
};

export type AddonQuestion = AddonHandle & { receive(): AddonTable | undefined };

/** The exports that show processes, sockets and clocks. */
export type InspectAddon = {
  readonly Processes: new (proc: string) => AddonQuestion;
  readonly Sockets: new (
    proc: string,
    protocols: number,
    filter: number,
    processes: boolean,
  ) => AddonQuestion;
  readonly TimeServer: new (
    address: string,
    port: string,
    packet: Buffer,
    patienceMs: number,
  ) => AddonQuestion;
  readonly HardwareClock: new (path: string) => AddonQuestion;
};
