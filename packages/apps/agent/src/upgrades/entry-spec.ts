import type { Entry, EntryName } from '@nodecore/boot';
import type { Json } from '@nodecore/state';

/** What identifies an entry, whatever its counter is: `1.14.0-2`. */
export function entryId({ imageVersion, sequence }: EntryName): string {
  return `${imageVersion}-${sequence}`;
}

/** `v1.14.0-rc.1` of `1.14.0~rc.1`. */
export function versionOfEntry({ imageVersion }: EntryName): string {
  return `v${imageVersion.replace('~', '-')}`;
}

/** An entry of the boot menu as a resource. @param reason that META has for its last failure; of no interest once it is good. */
export function entrySpec(entry: Entry, reason: string | undefined): Json {
  const { name, state, isBooted, sizeBytes, tries } = entry;
  const spent = 'it was started as often as it may be, and did not come up';
  const why = state === 'good' ? undefined : (reason ?? (state === 'bad' ? spent : undefined));
  return {
    entry: name,
    version: versionOfEntry(entry),
    state,
    booted: isBooted,
    sizeBytes,
    ...(tries && { triesLeft: tries.left, triesDone: tries.done }),
    ...(why !== undefined && { reason: why }),
  };
}
