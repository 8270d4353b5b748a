import { CRYPT_FLAGS_ACTIVATION } from './constants.ts';
import { headerName, type PersistentFlag, toBits } from './flags.ts';
import { loadTrusted } from './load.ts';
import { exclusively } from './queue.ts';

export type SetFlagsOptions = { readonly signal?: AbortSignal };

/**
 * Makes the header keep exactly these options. They are used by everybody who opens the volume, the `cryptsetup` program
 * included, in addition to what the opener asks for; an active mapping is not touched.
 *
 * @returns whether the header had to be written. Both copies are, one after the other: a crash leaves one of them whole.
 */
async function set(
  device: string,
  flags: readonly PersistentFlag[],
  options: SetFlagsOptions = {},
): Promise<boolean> {
  return await exclusively({ device, signal: options.signal }, async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    const wanted = flags.map((flag) => headerName(flag)).sort();
    if (wanted.join() === facts.persistentFlags.toSorted().join()) return false;
    await handle.check('crypt_persistent_flags_set', {}, CRYPT_FLAGS_ACTIVATION, toBits(flags));
    return true;
  });
}

/** Options of dm-crypt that the header itself keeps. */
export const persistentFlags: { readonly set: typeof set } = { set };
