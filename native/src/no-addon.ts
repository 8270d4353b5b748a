import { createRequire } from 'node:module';

import type { Addon } from './addon.ts';
import { NativeError } from './errors.ts';

let loaded: Addon | undefined;

/**
 * In place of `addon.ts` in a program that is one file: there is no addon beside it, and one is loaded where `NODECORE_NATIVE` names it.
 *
 * @throws {NativeError} `ERR_NATIVE_LOAD`, which says what to do about it.
 */
export function addon(): Addon {
  loaded ??= load(process.env['NODECORE_NATIVE']);
  return loaded;
}

function load(path: string | undefined): Addon {
  if (path === undefined) {
    throw new NativeError(
      'ERR_NATIVE_LOAD',
      'this takes native code, which a program of one file does not have: take the one of the package or of a checkout, or name its nodecore.node in NODECORE_NATIVE',
    );
  }
  try {
    return createRequire(import.meta.url)(path) as Addon;
  } catch (cause) {
    // dlopen(3) names the library that is missing, or the architecture that does not fit.
    const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new NativeError('ERR_NATIVE_LOAD', `${path} of NODECORE_NATIVE can't be loaded: ${detail}`, {
      cause,
    });
  }
}
