import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { AddonHandle } from './addon-handle.ts';
import type { CgroupAddon } from './cgroup-addon.ts';
import { NativeError, type SystemFailure } from './errors.ts';
import type { InspectAddon } from './inspect-addon.ts';
import type { FilesAddon } from './files-addon.ts';
import type { MemoryAddon } from './memory-addon.ts';
import type { NetnsAddon } from './netns-addon.ts';
import type { PacketAddon } from './packet-addon.ts';
import type { Http2Addon } from './http2-addon.ts';
import type { SnapshotAddon } from './snapshot-addon.ts';
import type { AddonTpm } from './tpm-addon.ts';

export type AddonUeventSocket = AddonHandle & {
  receive(): { readonly messages: readonly Buffer[]; readonly overflowed: boolean };
};

export type AddonInotify = AddonHandle & {
  receive(): readonly { readonly watch: number; readonly mask: number; readonly name: string }[];
  add(path: string, mask: number): number;
  remove(watch: number): void;
};

/** An entry of a partition table. */
export type TableEntry = {
  readonly index: number;
  readonly uuid: string;
  readonly type: string;
  readonly label: string;
  /** Bytes from the start of the device. */
  readonly offset: bigint;
  readonly size: bigint;
};

/** What libblkid found, under its own names: `TYPE`, `UUID`, `PTTYPE`, … */
export type BlkidValues = Readonly<Record<string, string>>;

/** What libblkid says about a device. */
export type BlkidJudgement = {
  readonly sectorSize: number;
  /** Every signature, also those with a damaged checksum or a GPT without its protective MBR. */
  readonly signatures: readonly BlkidValues[];
  /** As `blkid -p` reaches it. Empty when nothing is recognised; absent when signatures contradict each other. */
  readonly verdict?: BlkidValues;
  /** Of the partition table, when there is one. */
  readonly entries: readonly TableEntry[];
};

export type AddonResult = {
  /** `Result::Outcome`: 0 judged, 1 unchanged, 2 no medium, 3 read. */
  readonly outcome: 0 | 1 | 2 | 3;
  readonly sizeBytes: bigint;
  readonly restsOn?: BigUint64Array;
  readonly judgement?: BlkidJudgement;
  readonly written?: AddonWritten;
};

/** What of the windows is not zero. */
export type AddonWritten = {
  /** Where the first such byte of a window stands; of the first 64 windows that have one. */
  readonly places: BigUint64Array;
  /** The first window that can't be read; nothing behind it was looked at. */
  readonly unreadable?: { readonly offset: bigint; readonly errno: number };
};

export type AddonReply = { readonly id: number } & (
  | { readonly error: Error & SystemFailure; readonly result?: undefined }
  | { readonly error?: undefined; readonly result: AddonResult }
);

export type AddonProbeQueue = AddonHandle & {
  receive(): readonly AddonReply[];
  submit(
    id: number,
    path: string,
    windows: BigUint64Array,
    optical: boolean,
    digest: boolean,
    known: BigUint64Array | undefined,
    part: BigUint64Array | undefined,
    findWritten: boolean,
  ): void;
  replace(id: number): boolean;
};

/** The addon's exports. It trusts its caller: arguments are checked on this side. */
export type Addon = {
  readonly UeventSocket: new (receiveBufferBytes: number) => AddonUeventSocket;
  readonly Inotify: new () => AddonInotify;
  readonly ProbeQueue: new (threads: number) => AddonProbeQueue;
  readonly Tpm: new (tcti: string) => AddonTpm;
} & CgroupAddon &
  FilesAddon &
  Http2Addon &
  InspectAddon &
  MemoryAddon &
  NetnsAddon &
  PacketAddon &
  SnapshotAddon;

const builtHere = fileURLToPath(new URL('../build/Release/nodecore.node', import.meta.url));
let loaded: Addon | undefined;

/**
 * The addon, loaded at first use. `NODECORE_NATIVE` names another build of it, such as the sanitized one.
 *
 * @throws {NativeError} `ERR_NATIVE_LOAD`, which says what to do about it.
 */
export function addon(): Addon {
  loaded ??= load(process.env['NODECORE_NATIVE'] ?? builtHere);
  return loaded;
}

function load(path: string): Addon {
  try {
    return createRequire(import.meta.url)(path) as Addon;
  } catch (cause) {
    throw new NativeError('ERR_NATIVE_LOAD', explanation(path, cause), { cause });
  }
}

function explanation(path: string, cause: unknown): string {
  if (!existsSync(path)) {
    return `${path} is not built: run "npm run build:native" (needs cmake, a C++23 compiler, and libblkid-dev, libnghttp2-dev, libtss2-dev and libuv1-dev on Debian, libblkid-devel, libnghttp2-devel, tpm2-tss-devel and libuv-devel on Fedora)`;
  }
  // dlopen(3) names the library that is missing, or the architecture that does not fit.
  const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  return `${path} can't be loaded by Node ${process.version} on ${process.arch}: ${detail}; build it here with "npm run build:native" (it rests on libblkid1, libnghttp2-14 and libstdc++6 on Debian, libblkid, libnghttp2 and libstdc++ on Fedora)`;
}
