import type { AddonHandle } from './addon-handle.ts';
import type { SystemFailure } from './errors.ts';
import type { AddonHeaders, AddonHttp2End } from './http2-addon.ts';

export type AddonSnapshotStatus = {
  readonly hash: number;
  readonly revision: bigint;
  readonly totalKeys: bigint;
  readonly revisions: bigint;
  readonly totalBytes: bigint;
  readonly keyspaceHash: number;
  readonly compacting: boolean;
  readonly usedPages: bigint;
  readonly pages: bigint;
  readonly pageBytes: number;
  readonly storageVersion: Buffer;
  readonly clusterVersion: Buffer;
};

export type AddonSnapshotVerdict = {
  readonly bytes: bigint;
  /** `Ending` of check.h: 0 a digest, 1 a page, 2 neither. */
  readonly ending: 0 | 1 | 2;
  readonly computed?: Buffer;
  readonly stated?: Buffer;
  /** `DefectKind` of defect.h. */
  readonly defect?: { readonly kind: number; readonly page: bigint; readonly detail: bigint };
  readonly status?: AddonSnapshotStatus;
};

export type AddonSnapshotResult = {
  readonly abandoned: boolean;
  readonly failure?: SystemFailure;
  readonly verdict?: AddonSnapshotVerdict;
};

type AddonSnapshotHandle = AddonHandle & {
  abandon(): void;
  acknowledge(): void;
  look(): AddonSnapshotResult | undefined;
};

export type AddonSnapshotSink = AddonSnapshotHandle & {
  expect(bytes: bigint): void;
  /** How many of them had room. */
  append(bytes: Uint8Array): number;
  finish(): void;
};

export type AddonSnapshotDownload = {
  /** How many bytes of the database were among the first `bytes` of the buffer. */
  feed(buffer: Uint8Array, bytes: number, copy: Uint8Array | undefined): number;
  flush(): void;
  /** Bits: 1 there is output, 2 the sink had no room, 4 it is over. */
  signs(): number;
  output(): Buffer;
  total(): bigint | undefined;
  end(): AddonHttp2End & {
    /** `MessageFault` of messages.h. */
    readonly fault: 0 | 1 | 2 | 3 | 4 | 5;
    readonly whole: boolean;
  };
};

export type AddonSnapshotFileCheck = AddonSnapshotHandle & {
  /** Bytes that were checked, bytes of the file. */
  progress(): BigUint64Array;
};

/** The exports that snapshots use. An empty path: the bytes are only checked. */
export type SnapshotAddon = {
  readonly SnapshotSink: new (path: string, replace: boolean) => AddonSnapshotSink;
  readonly SnapshotDownload: new (
    sink: AddonSnapshotSink | undefined,
    scheme: string,
    authority: string,
    path: string,
    body: Uint8Array,
    metadata: AddonHeaders,
    windowBytes: number,
    layout: {
      readonly data: number;
      readonly remaining: number;
      readonly total: number;
    },
  ) => AddonSnapshotDownload;
  readonly SnapshotFileCheck: new (path: string, hashes: boolean) => AddonSnapshotFileCheck;
};
