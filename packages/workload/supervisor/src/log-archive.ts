import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { compress, LogRing, moveWhole } from './log-ring.ts';
import { entriesOf, type LogSegments, segmentName } from './log-segments.ts';

/** Where logs outlive the boot: below it, a directory for each service, and in that one for each boot. */
export type LogPlace = {
  /** Such as `/var/log/os`; made when it is not there. */
  readonly directory: string;
  /** Which boot runs. */
  readonly bootId: string;
};

/** What a service printed in a boot before this one. */
export type FormerLog = { readonly bootId: string; readonly log: LogRing };

/** Boots before this one that are kept, each with a mebibyte at most before compression. */
export const mostFormerBoots = 4;

const namePattern = /^(\d{8})-([\w-]{1,64})$/u;

/** The archive of one service: what its keeper has written, where it survives the end of the machine. */
export class LogArchive {
  readonly #directory: string;
  readonly #current: string;
  #former: readonly string[];

  private constructor(directory: string, current: string, former: readonly string[]) {
    this.#directory = directory;
    this.#current = current;
    this.#former = former;
  }

  /** Takes a service's directory, with what boots before this one have left in it; the oldest of them go. */
  static async open({ directory, bootId }: LogPlace, id: string): Promise<LogArchive> {
    const own = join(directory, id);
    await mkdir(own, { recursive: true, mode: 0o700 });
    const boots = (await entriesOf(own)).filter((name) => namePattern.test(name)).toSorted();
    const known = boots.find((name) => bootOf(name) === bootId);
    const number = Number(boots.at(-1)?.slice(0, 8) ?? 0) + 1;
    const current = known ?? `${String(number).padStart(8, '0')}-${bootId}`;
    const archive = new LogArchive(
      own,
      join(own, current),
      boots.filter((name) => name < current),
    );
    while (archive.#former.length > mostFormerBoots) await archive.#dropFormer();
    await archive.#makeRoomFor(() => mkdir(archive.#current, { recursive: true, mode: 0o700 }));
    return archive;
  }

  /** Of this boot. */
  get directory(): string {
    return this.#current;
  }

  /** Oldest first. */
  get former(): readonly FormerLog[] {
    return this.#former.map((name) => ({
      bootId: bootOf(name),
      log: new LogRing(join(this.#directory, name)),
    }));
  }

  /**
   * Takes over what a keeper has written since: whole files are moved, compressed; of the newest the end is added. A full disk
   * loses what is oldest here, and then waits: whoever writes waits for nothing.
   */
  async take(segments: LogSegments): Promise<void> {
    const found = await segments.list();
    const newest = found.at(-1);
    for (const { start, isCompressed, isAtHome, isDropped } of found) {
      if (isDropped) await segments.remove(start);
      else if (isAtHome && start !== newest?.start) await this.#move(segments, start, isCompressed);
    }
    if (newest?.isAtHome === true && !newest.isCompressed)
      await this.#makeRoomFor(() => this.#add(segments, newest.start), segments);
  }

  async #move(segments: LogSegments, start: number, isCompressed: boolean): Promise<void> {
    const [raw = '', compressed = ''] = segments.paths(start);
    const target = join(this.#current, `${segmentName(start)}.zst`);
    await this.#makeRoomFor(async () => {
      if (isCompressed) await moveWhole(compressed, target, () => readFile(compressed));
      else await compress(raw, target);
    }, segments);
    await rm(join(this.#current, segmentName(start)), { force: true });
  }

  /** Adds what the copy of the newest file lacks. */
  async #add(segments: LogSegments, start: number): Promise<void> {
    const [raw = ''] = segments.paths(start);
    await using source = await open(raw).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return undefined; // dropped meanwhile
    });
    if (source === undefined) return;
    await using target = await open(join(this.#current, segmentName(start)), 'a', 0o600);
    const [{ size: has }, { size: had }] = [await source.stat(), await target.stat()];
    if (had > has) await target.truncate(0); // of no log of ours
    const from = had > has ? 0 : had;
    const bytes = Buffer.alloc(has - from);
    const { bytesRead } = await source.read(bytes, 0, bytes.length, from);
    await target.appendFile(bytes.subarray(0, bytesRead));
  }

  /** Does a piece of work; a disk that is full loses the oldest of this service until it can be done. */
  async #makeRoomFor(work: () => Promise<unknown>, segments?: LogSegments): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isFull(error) || !(await this.#dropOldest(segments))) throw error;
      }
    }
  }

  /** @returns whether there was something to drop. */
  async #dropOldest(segments: LogSegments | undefined): Promise<boolean> {
    if (this.#former.length > 0) {
      await this.#dropFormer();
      return true;
    }
    const archived = (await segments?.list())?.find(({ isAtHome }) => !isAtHome);
    if (archived === undefined) return false;
    await segments?.remove(archived.start);
    return true;
  }

  async #dropFormer(): Promise<void> {
    const [oldest, ...others] = this.#former;
    if (oldest !== undefined) await rm(join(this.#directory, oldest), { recursive: true, force: true });
    this.#former = others;
  }
}

function bootOf(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}

function isFull(error: unknown): boolean {
  return codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
}
