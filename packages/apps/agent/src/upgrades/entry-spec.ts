import type { BootFailure, Entry, EntryName } from '@nodecore/boot';
import type { Json } from '@nodecore/state';

/** What identifies an entry, whatever its counter is: `1.14.0-2`. */
export function entryId({ imageVersion, sequence }: EntryName): string {
  return `${imageVersion}-${sequence}`;
}

/** `v1.14.0-rc.1` of `1.14.0~rc.1`. */
export function versionOfEntry({ imageVersion }: EntryName): string {
  return `v${imageVersion.replace('~', '-')}`;
}

/**
 * An entry of the boot menu as a resource.
 *
 * @param failure that META has of its last start; of no interest once it is good.
 * @param isFallback the menu goes back to it when what is before it does not come up.
 */
export function entrySpec(
  entry: Entry,
  failure: BootFailure | undefined,
  { isFallback = false }: { readonly isFallback?: boolean } = {},
): Readonly<Record<string, Json>> {
  const { name, state, isBooted, sizeBytes, tries } = entry;
  const done = tries?.done ?? 0;
  const silent = `it was started ${done === 1 ? 'once' : `${done} times`}, and neither its kernel nor its agent left a reason: the agent never answered`;
  const hasFailed = state === 'bad' && done > 0;
  const { reason: why = hasFailed ? silent : undefined, log } = state === 'good' ? {} : (failure ?? {});
  return {
    entry: name,
    version: versionOfEntry(entry),
    state: isFallback ? 'fallback' : state,
    booted: isBooted,
    sizeBytes,
    ...(tries && { triesLeft: tries.left, triesDone: tries.done }),
    ...(why !== undefined && { reason: why }),
    ...(log !== undefined && { log }),
  };
}
