import type { ListedFile } from './entry-files.ts';
import { compareEntries, type EntryName, isSameEntry, parseEntryName } from './entry-name.ts';

/**
 * `staged`: written, and not started yet. `trying`: it is running, or was started before and may be again, and nobody
 * found it good yet. `good`: it has run and was found good. `bad`: no start is left.
 */
export type EntryState = 'staged' | 'trying' | 'good' | 'bad';

/** An entry of the boot menu, as it is on the disk. */
export type Entry = EntryName & {
  /** Of the file. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly state: EntryState;
  /** It is what runs now. */
  readonly isBooted: boolean;
};

/** The entries among these files, in the order of the boot menu. `booted` is absent when nobody knows what runs. */
export function entriesOf(files: readonly ListedFile[], booted?: EntryName): readonly Entry[] {
  return files
    .flatMap(({ name, sizeBytes }) => {
      const parsed = parseEntryName(name);
      if (parsed === undefined) return [];
      const isBooted = booted !== undefined && isSameEntry(parsed, booted);
      return [{ ...parsed, name, sizeBytes, isBooted, state: stateOf(parsed, isBooted) }];
    })
    .toSorted(compareEntries);
}

function stateOf({ tries }: EntryName, isBooted: boolean): EntryState {
  if (tries === undefined) return 'good';
  if (isBooted) return 'trying'; // the boot loader took the last start away before it began
  if (tries.left === 0) return 'bad';
  return tries.done === 0 ? 'staged' : 'trying';
}

/** What may never go: the entry that runs, and the newest one that is good. All of them when nobody knows what runs. */
export function neededEntries(entries: readonly Entry[]): readonly Entry[] {
  if (!entries.some(({ isBooted }) => isBooted)) return entries;
  const newestGood = entries.find(({ state }) => state === 'good');
  return entries.filter((entry) => entry.isBooted || entry === newestGood);
}
