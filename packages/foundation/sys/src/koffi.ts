import { createRequire } from 'node:module';

import type * as Koffi from 'koffi';

import { lazy } from './library.ts';

/**
 * What calls C libraries, loaded at first use: half the start-up time of a program that imports this package and calls none. Every
 * package gets it here, as it is set up before the first library is loaded.
 */
export const koffi: () => typeof Koffi = lazy(() => {
  const loaded = load();
  // libcryptsetup's key derivation needs more than the 128 KiB that koffi gives an asynchronous call.
  loaded.config({ async_stack_size: 1 << 20, resident_async_pools: 4, max_async_calls: 512 });
  return loaded;
});

/**
 * Its addon alone, in a third of the time: koffi's entry first copies what Node.js has under `node:util`, and looks around. Where the
 * addon is another one (musl), or none, the entry finds it or says so.
 */
function load(): typeof Koffi {
  const here = createRequire(import.meta.url);
  const { platform, arch } = process;
  const addon = `@koromix/koffi-${platform}-${arch}/${platform}_${arch}/koffi.node`;
  try {
    return createRequire(here.resolve('koffi'))(addon) as typeof Koffi;
  } catch {
    return here('koffi') as typeof Koffi;
  }
}
