import { compareEntries, type EntryName, isSameEntry } from '@nodecore/boot';
import type { View } from '@nodecore/view';

/** What is asked of the EFI partition; a directory in tests. Names are as FAT has them. */
export type EntryStore = {
  list(): Promise<readonly StoredEntry[]>;
  freeBytes(): Promise<number>;
  /** Writes an entry so that under its name there is all of it or nothing, and proves it by reading it back. */
  add(entry: EntryName, uki: View, options: AddOptions): Promise<void>;
  remove(file: string): Promise<void>;
  /** Gives an entry another counter; after a power cut it has the one or the other. */
  rename(file: string, to: EntryName): Promise<void>;
};

export type AddOptions = {
  readonly sha256: string;
  readonly signal?: AbortSignal;
  /** Called when it is written, before it is read back. */
  readonly written: () => void;
};

/** An entry that is there. */
export type StoredEntry = {
  /** `nodeos-1.14.0-1.efi` */
  readonly file: string;
  readonly name: EntryName;
  readonly sizeBytes: number;
};

/** `good`: it came up. `trying`: it has starts left and did not come up yet. `bad`: it has used them all up. */
export type EntryState = 'good' | 'trying' | 'bad';

/** By the name of its file, which wins over everything that was written down. */
export function stateOf({ tries }: EntryName): EntryState {
  if (tries === undefined) return 'good';
  return tries.left === 0 ? 'bad' : 'trying';
}

/** What tells one entry from another, whatever its counter says: `1.14.0-2`. */
export function entryId({ imageVersion, sequence }: EntryName): string {
  return `${imageVersion}-${sequence}`;
}

/** `v1.14.0-rc.1` of `1.14.0~rc.1`. */
export function versionOfEntry({ imageVersion }: EntryName): string {
  return `v${imageVersion.replace('~', '-')}`;
}

/** In the order of the boot menu. */
export function inMenuOrder(entries: readonly StoredEntry[]): StoredEntry[] {
  return entries.toSorted((a, b) => compareEntries(a.name, b.name));
}

/**
 * The entry that runs: the one that the boot loader says it has started, else the newest of the version that runs.
 *
 * @param selected its file name, which may have another counter by now.
 */
export function bootedEntry(
  entries: readonly StoredEntry[],
  { selected, imageVersion }: { readonly selected: EntryName | undefined; readonly imageVersion: string },
): StoredEntry | undefined {
  const menu = inMenuOrder(entries);
  const named = selected === undefined ? undefined : menu.find(({ name }) => isSameEntry(name, selected));
  return named ?? menu.find(({ name }) => name.imageVersion === imageVersion);
}

/** What a rollback goes to: the first of the menu that is good and does not run. */
export function otherGoodEntry(
  entries: readonly StoredEntry[],
  booted: StoredEntry,
): StoredEntry | undefined {
  return inMenuOrder(entries).find(({ name }) => stateOf(name) === 'good' && !isSameEntry(name, booted.name));
}

/**
 * Entries that may go to make room, in the order in which they should: those that are bad, then the lowest of the menu. Never the one
 * that runs, nor the newest that is good.
 */
export function removableEntries(
  entries: readonly StoredEntry[],
  booted: StoredEntry,
): readonly StoredEntry[] {
  const menu = inMenuOrder(entries);
  const newestGood = menu.find(({ name }) => stateOf(name) === 'good');
  const others = menu.filter(
    (entry) => !isSameEntry(entry.name, booted.name) && entry.file !== newestGood?.file,
  );
  return others.toReversed(); // the bad ones are the last of the menu
}
