import type { AddonHandle } from './addon-handle.ts';
import type { SystemFailure } from './errors.ts';

export type AddonRingCounters = {
  readonly packets: bigint;
  readonly drops: bigint;
  readonly freezes: bigint;
};

export type AddonProgress = {
  readonly rings: readonly AddonRingCounters[];
  readonly taken: BigUint64Array;
  readonly lost: BigUint64Array;
  /** With holes: of rings whose interface went. */
  readonly gone: readonly (SystemFailure | undefined)[];
  /** `End` of progress.h: 0 none, 1 stopped, 2 enough, 3 failed. */
  readonly end: 0 | 1 | 2 | 3;
  readonly closed: boolean;
  readonly failure?: SystemFailure;
  readonly failedRing?: number;
};

type AddonCapture = AddonHandle & {
  stop(): void;
  look(): AddonProgress;
};

export type AddonPacketBatches = AddonCapture & {
  abandon(): void;
  /** Records into `buffer`; five numbers into `answer`: ring, bytes, packets, how many were cut, 1 at the end. */
  take(buffer: Uint8Array, answer: Uint32Array): void;
};

export type AddonPacketFile = AddonCapture & {
  /** What was announced is about to be looked at. */
  acknowledge(): void;
  written(): {
    readonly path: string;
    readonly packets: bigint;
    readonly bytes: bigint;
    readonly hasEpilogue: boolean;
  };
};

export type AddonPacketRing = AddonHandle & {
  lend(silent: boolean): ArrayBuffer | undefined;
  takeBack(): void;
  silence(): void;
  counters(): AddonRingCounters;
  error(): number;
};

export type AddonInterface = {
  readonly name: string;
  readonly index: number;
  readonly hardwareType: number;
  readonly flags: number;
  readonly mtu: number;
};

/** The exports that captures use. `rings` has six numbers per ring; a filter is an array of `struct sock_filter`. */
export type PacketAddon = {
  readonly PacketBatches: new (
    rings: Uint32Array,
    filters: readonly Buffer[],
    maxHoldMs: number,
    snapLength: number,
    pcapng: boolean,
  ) => AddonPacketBatches;
  readonly PacketFile: new (
    rings: Uint32Array,
    filters: readonly Buffer[],
    maxHoldMs: number,
    stem: string,
    suffix: string,
    pcapng: boolean,
    snapLength: number,
    preamble: Buffer,
    maxPackets: bigint,
    maxBytes: bigint,
    fileBytes: bigint,
    fileSeconds: number,
    keepFiles: number,
    epilogue: Buffer,
  ) => AddonPacketFile;
  readonly PacketRing: new (ring: Uint32Array, filter: Buffer) => AddonPacketRing;
  readonly interfaces: () => readonly AddonInterface[];
};
