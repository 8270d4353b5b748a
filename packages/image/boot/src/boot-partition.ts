import type { View } from '@nodecore/view';

import { type Entry, entriesOf, neededEntries } from './entry.ts';
import { directoryFiles, type EntryFiles } from './entry-files.ts';
import {
  compareEntries,
  type EntryName,
  formatEntryName,
  isSameEntry,
  parseEntryName,
} from './entry-name.ts';
import { BootError } from './errors.ts';
import { readAhead } from './image-file.ts';
import { compareImageVersions } from './version.ts';

export type NewEntry = {
  readonly imageVersion: string;
  /** Higher than that of any entry before; see `nextSequence`. */
  readonly sequence: number;
  /** How often it may be started before it must be found good; 3 by default. */
  readonly tries?: number;
  readonly uki: View;
  /** Hex, of the UKI: what was promised, by a signed manifest. */
  readonly sha256: string;
};

type Tries = NonNullable<EntryName['tries']>;

/** Each read and each write waits for a thread. */
const chunkBytes = 1 << 20;
const partSuffix = '.part';
/** How often an entry may be started before it must be found good. */
const defaultTries = 3;
/** For the directory's own growth and for the end of the last cluster. */
const slackBytes = 64 * 1024;

/**
 * The entries of a mounted EFI system partition, on the node that started from one of them. FAT has no journal: each
 * step leaves either the entries of before or also a whole new one.
 */
export class BootPartition {
  readonly #files: EntryFiles;
  readonly #booted: EntryName | undefined;

  /** @param booted what runs now; without it, nothing is ever removed. */
  constructor(files: EntryFiles, booted?: EntryName) {
    this.#files = files;
    this.#booted = booted;
  }

  /** @param directory where the partition's `/EFI/Linux` is; needs root for changes. */
  static open(directory: string, booted?: EntryName): BootPartition {
    return new BootPartition(directoryFiles(directory), booted);
  }

  /** In the order of the boot menu. */
  async entries(): Promise<readonly Entry[]> {
    return entriesOf(await this.#files.list(), this.#booted);
  }

  /** SHA-256, as hex, of what the disk has of an entry. @throws {BootError} `ERR_BOOT_NOT_FOUND`. */
  async digest(name: string, signal?: AbortSignal): Promise<string> {
    if ((await this.entries()).some((entry) => entry.name === name))
      return await this.#files.digest(name, signal);
    throw new BootError('ERR_BOOT_NOT_FOUND', `there is no entry ${name}`);
  }

  /**
   * The image of an entry, once the disk has given what was promised of it.
   *
   * @param sha256 hex, of the image.
   * @throws {BootError} `ERR_BOOT_MISMATCH`, `ERR_BOOT_NOT_FOUND`.
   */
  async proven(name: string, sha256: string, signal?: AbortSignal): Promise<View> {
    const image = await this.#files.view(name);
    const stored = await this.digest(name, signal);
    if (stored === sha256) return image;
    throw new BootError('ERR_BOOT_MISMATCH', `${name}: was promised as ${sha256}, and is ${stored}`);
  }

  /**
   * Writes an entry that the next start tries. Entries that are neither running nor the newest good one make room for
   * it; when that is not enough, nothing is changed.
   *
   * @throws {BootError} `ERR_BOOT_DOWNGRADE`, `ERR_BOOT_SPACE`, `ERR_BOOT_EXISTS`, `ERR_BOOT_MISMATCH`.
   */
  async write(entry: NewEntry, signal?: AbortSignal): Promise<Entry> {
    const { imageVersion, sequence, tries = defaultTries, uki, sha256 } = entry;
    const name = formatEntryName({ imageVersion, sequence, tries: { left: tries, done: 0 } });
    const part = `${name}${partSuffix}`;
    const before = await this.entries();
    this.#assertStarts(entry, before);
    await this.#makeRoom(uki.size, before);
    try {
      await this.#writePart(part, { uki, sha256 }, signal);
    } catch (error) {
      // Another error here would hide why; what stays is removed by the next write.
      await this.#files.remove(part).catch(() => {});
      throw error;
    }
    await this.#files.rename(part, name);
    await this.#files.syncDirectory();
    const written = (await this.entries()).find((other) => other.name === name);
    if (written === undefined)
      throw new BootError('ERR_BOOT_NOT_FOUND', `${name} is gone after it was written`);
    return written;
  }

  /** The entry that runs is good: it is started from now on, and no starts are counted. Once is enough. */
  async bless(): Promise<void> {
    const booted = (await this.entries()).filter(({ isBooted }) => isBooted);
    if (booted.length === 0) throw new BootError('ERR_BOOT_NOT_FOUND', 'no entry is the one that runs');
    const [counted] = booted;
    // With the good name there as well, a power cut was in this rename: to replace it would free the clusters of both.
    if (counted === undefined || booted.some(({ state }) => state === 'good')) return;
    const { imageVersion, sequence } = counted;
    await this.#files.rename(counted.name, formatEntryName({ imageVersion, sequence }));
    await this.#files.syncDirectory();
  }

  /**
   * The next start is that of the newest good entry besides the one that runs; what is before it in the menu has no start left.
   *
   * @param toBad also to one that has no start left, when there is no good one: it gets its starts anew.
   * @throws {BootError} `ERR_BOOT_NOT_FOUND` when there is no other one like that.
   */
  async rollback({ toBad = false }: { readonly toBad?: boolean } = {}): Promise<Entry> {
    const entries = await this.entries();
    const others = entries.filter(({ isBooted }) => !isBooted);
    const good = others.find(({ state }) => state === 'good');
    const found = good ?? (toBad ? others.find(({ state }) => state === 'bad') : undefined);
    if (found === undefined || others.length === entries.length) {
      throw new BootError('ERR_BOOT_NOT_FOUND', 'there is no other good entry to return to');
    }
    const target = good ?? (await this.#rearm(found));
    // Whatever is before it in the menu would be started in its place.
    for (const entry of entries) {
      const { tries } = entry;
      if (tries?.left === 0 || isSameEntry(entry, target) || compareEntries(entry, target) > 0) continue;
      await this.#count(entry, { left: 0, done: tries?.done ?? 0 });
    }
    await this.#files.syncDirectory();
    return target;
  }

  /** Gives an entry its starts anew: when they are used up the menu goes back to what it had. */
  async #rearm(entry: Entry): Promise<Entry> {
    const counted = await this.#count(entry, { left: defaultTries, done: 0 });
    return { ...counted, state: counted.tries.done === 0 ? 'staged' : 'trying' };
  }

  /**
   * Gives an entry these starts. After a power cut in a rename the file may have that name as well, and to replace it would free the
   * clusters of both: then more starts count as used, until no file has the name.
   */
  async #count(entry: Entry, { left, done }: Tries): Promise<Entry & { readonly tries: Tries }> {
    const { imageVersion, sequence } = entry;
    // FAT does not tell letters apart.
    const taken = new Set((await this.#files.list()).map(({ name }) => name.toLowerCase()));
    taken.delete(entry.name.toLowerCase());
    let tries = { left, done };
    let name = formatEntryName({ imageVersion, sequence, tries });
    while (taken.has(name)) {
      tries = { left, done: tries.done + 1 };
      name = formatEntryName({ imageVersion, sequence, tries });
    }
    if (name !== entry.name) await this.#files.rename(entry.name, name);
    return { ...entry, name, tries };
  }

  /** @throws {BootError} `ERR_BOOT_NEEDED` for the entry that runs and for the newest good one; `ERR_BOOT_NOT_FOUND`. */
  async remove(name: string): Promise<void> {
    const entries = await this.entries();
    const entry = entries.find((other) => other.name === name);
    if (entry === undefined) throw new BootError('ERR_BOOT_NOT_FOUND', `there is no entry ${name}`);
    if (!(await this.#removable(neededEntries(entries))).has(name)) {
      throw new BootError('ERR_BOOT_NEEDED', `${name} runs, is the newest good entry, or has two names`);
    }
    await this.#files.remove(name);
    await this.#files.syncDirectory();
  }

  /**
   * Removes good entries that are older than the one to return to, and what a crash left. Bad ones stay until their
   * room is needed: they show what was tried.
   */
  async removeSuperseded(): Promise<void> {
    const entries = await this.entries();
    const removable = await this.#removable(neededEntries(entries));
    const fallback = entries.find(({ isBooted, state }) => !isBooted && state === 'good');
    for (const entry of entries)
      if (entry === fallback || entry.state !== 'good') removable.delete(entry.name);
    await this.#removeAll([...removable.keys()]);
  }

  /** An entry that the menu would never start is no upgrade: the old system would run for ever, and nobody would be told. */
  #assertStarts({ imageVersion, sequence }: NewEntry, before: readonly Entry[]): void {
    for (const entry of neededEntries(before)) {
      if (isSameEntry(entry, { imageVersion, sequence })) {
        throw new BootError('ERR_BOOT_EXISTS', `${entry.name} is there`);
      }
      const order = compareImageVersions(imageVersion, entry.imageVersion);
      if (order < 0 || (order === 0 && sequence < entry.sequence)) {
        throw new BootError(
          'ERR_BOOT_DOWNGRADE',
          `the boot menu starts the highest version: ${entry.name} would be started in place of ${imageVersion}`,
        );
      }
    }
  }

  /** All that is not needed goes, room or not: a staged entry of a higher version would be started first. */
  async #makeRoom(sizeBytes: number, before: readonly Entry[]): Promise<void> {
    const removable = await this.#removable(neededEntries(before));
    const free = await this.#files.freeBytes();
    const room = [...removable.values()].reduce((sum, size) => sum + size, free);
    const missing = sizeBytes + slackBytes - room;
    if (missing > 0) {
      throw new BootError(
        'ERR_BOOT_SPACE',
        `the boot partition needs ${missing} more bytes for an entry of ${sizeBytes}; ${free} are free`,
      );
    }
    await this.#removeAll([...removable.keys()]);
  }

  async #writePart(part: string, { uki, sha256 }: Pick<NewEntry, 'uki' | 'sha256'>, signal?: AbortSignal) {
    const options = signal === undefined ? {} : { signal };
    await this.#files.write(part, readAhead(uki.stream({ chunkBytes, ...options })));
    await this.#files.sync(part);
    // What the disk has is what was promised, or the entry is none: to hash what was given as well would prove nothing more.
    const stored = await this.#files.digest(part, signal);
    if (stored !== sha256) {
      const given = (await uki.digest('sha256', signal)).toString('hex');
      const what =
        given === sha256
          ? `the disk has ${stored}, ${sha256} was written`
          : `was promised as ${sha256}, and is ${given}`;
      throw new BootError('ERR_BOOT_MISMATCH', `${part}: ${what}`);
    }
    signal?.throwIfAborted();
  }

  /**
   * Names and sizes of what may go: entries besides the needed ones, and what a crash left of a write. A file that has
   * two names, after a power cut in a rename, stays under both: to remove one would free the clusters of the other.
   */
  async #removable(needed: readonly Entry[]): Promise<Map<string, number>> {
    const files = await this.#files.list();
    const ours = files.flatMap(({ name, sizeBytes }) => {
      const isPart = name.endsWith(partSuffix);
      const entry = parseEntryName(isPart ? name.slice(0, -partSuffix.length) : name);
      return entry === undefined ? [] : [{ name, sizeBytes, entry, isPart }];
    });
    const removable = ours
      .filter(({ entry, isPart }) => isPart || !needed.some((other) => isSameEntry(other, entry)))
      .filter(({ entry }) => ours.filter((other) => isSameEntry(other.entry, entry)).length === 1);
    return new Map(removable.map(({ name, sizeBytes }) => [name, sizeBytes]));
  }

  async #removeAll(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#files.remove(name);
    if (names.length > 0) await this.#files.syncDirectory();
  }
}
