import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { NativeError, type SystemFailure } from './errors.ts';

/** What every handle of the addon has: a descriptor to wait on, and an end. */
export type AddonHandle = {
  /** True when there is something to receive, false when the handle was closed first. One waiter at a time. */
  wait(): Promise<boolean>;
  /** Whether a wait keeps the process alive; it does unless told otherwise. */
  keepAlive(value: boolean): void;
  close(): void;
};

export type AddonUeventSocket = AddonHandle & {
  receive(): { readonly messages: readonly Buffer[]; readonly overflowed: boolean };
};

export type AddonInotify = AddonHandle & {
  receive(): readonly { readonly watch: number; readonly mask: number; readonly name: string }[];
  add(path: string, mask: number): number;
  remove(watch: number): void;
};

export type AddonReply = {
  readonly id: number;
  readonly error?: Error & SystemFailure;
  /** -1 when the device holds what was known; otherwise lent to us until we finish. */
  readonly fd?: number;
  readonly sizeBytes?: bigint;
  readonly windowPages?: number;
  readonly digest?: BigUint64Array;
  readonly cachedPages?: number;
};

export type AddonPageReader = AddonHandle & {
  receive(): readonly AddonReply[];
  open(
    id: number,
    path: string,
    windows: BigUint64Array,
    digest: boolean,
    known: BigUint64Array | undefined,
  ): void;
  /** Takes a lent descriptor back. */
  finish(id: number, fd: number): void;
  abandon(id: number): boolean;
};

/** The addon's exports. It trusts its caller: arguments are checked on this side. */
export type Addon = {
  readonly UeventSocket: new (receiveBufferBytes: number) => AddonUeventSocket;
  readonly Inotify: new () => AddonInotify;
  readonly PageReader: new (threads: number) => AddonPageReader;
};

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
    return `${path} is not built: run "npm run build:native" (needs cmake, a C++23 compiler and uv.h from libuv1-dev on Debian, libuv-devel on Fedora)`;
  }
  // dlopen(3) names the library that is missing, or the architecture that does not fit.
  const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  return `${path} can't be loaded by Node ${process.version} on ${process.arch}: ${detail}; build it here with "npm run build:native" (libstdc++ comes with libstdc++6 on Debian, libstdc++ on Fedora)`;
}
