import { channel } from 'node:diagnostics_channel';

import { callAsync, lazy } from '@nodecore/sys';

import { CRYPT_LOG_DEBUG, CRYPT_LOG_ERROR, CRYPT_LOG_NONE } from './constants.ts';
import { type Cryptsetup, cryptsetup, registerLog } from './ffi.ts';

/** What libcryptsetup would print to stderr: `{ level, message }`, published for programs that want to show it. */
const logs = channel('nodecore:luks:log');

/** The last error text. The queue lets one operation run at a time, so it belongs to the call that is under way. */
let lastError: string | undefined;

/**
 * The library with its log diverted. The callback is set for the whole library, because calls without a handle print
 * too; it is never taken back, because the queue binds the library to the main thread.
 */
const diverted = lazy(() => {
  const library = cryptsetup();
  const callback = registerLog((level, message) => {
    if (level === CRYPT_LOG_ERROR) lastError = message.trim();
    if (level === CRYPT_LOG_DEBUG) debugLines.push(message.trim());
    else logs.publish({ level, message: message.trim() });
  });
  library.crypt_set_log_callback(null, callback, null);
  // A token names its handler, and the library would load it into this process: a writer of the disk would choose
  // code that runs here. We read tokens ourselves.
  library.crypt_token_external_disable();
  return library;
});

type Name = keyof Cryptsetup;
type Arguments<K extends Name> = Parameters<Cryptsetup[K]>;
type AnyFunction = Parameters<typeof callAsync<unknown[], number>>[0];

/** Calls a function of the library on a pool thread and returns its status, whatever it is. */
export async function call<K extends Name>(name: K, ...args: Arguments<K>): Promise<number> {
  lastError = undefined;
  // A generic member's parameters can't be spread; Arguments<K> has checked them.
  return await callAsync(diverted()[name] as unknown as AnyFunction, ...args);
}

let debugLines: string[] = [];

/** Runs calls while the library logs what it does, line by line. Not for calls with keys. */
export async function withDebugLines(
  task: () => Promise<void>,
): Promise<{ readonly lines: readonly string[] }> {
  const library = diverted();
  debugLines = [];
  library.crypt_set_debug_level(CRYPT_LOG_DEBUG);
  try {
    await task();
    return { lines: debugLines };
  } finally {
    library.crypt_set_debug_level(CRYPT_LOG_NONE);
    debugLines = [];
  }
}

/** What the library said about the failure of the last call. */
export function errorText(): string | undefined {
  return lastError;
}
