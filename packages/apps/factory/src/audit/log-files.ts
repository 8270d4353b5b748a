import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';

export type LogFilesOptions = {
  readonly path: string;
  /** A file is never larger, unless it can't be put aside. */
  readonly maxSizeBytes: number;
  /** How many files that were put aside are kept; 0 for all. */
  readonly maxBackups: number;
  /** How many days they are kept; 0 for ever. */
  readonly maxAgeDays: number;
  readonly now?: () => Date;
};

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
/** A fifo would be waited for, a link may lead anywhere. */
const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
const dayMs = 86_400_000;

/**
 * A file of lines that is put aside when it is full, under the time when that was: `audit.log`, `audit-2026-11-23T15-44-19.000.log`. Its
 * state is in the names alone, so a crash between any two steps leaves what the next start goes on with. Only its owner reads them.
 */
export class LogFiles {
  readonly path: string;
  readonly #options: LogFilesOptions;
  readonly #warn: (line: string) => void;
  #file: FileHandle;
  #size = 0;
  #warned = '';
  #isClosed = false;

  private constructor(options: LogFilesOptions, file: FileHandle, warn: (line: string) => void) {
    this.path = options.path;
    this.#options = options;
    this.#file = file;
    this.#warn = warn;
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP` for what can't be opened, or is no file. */
  static async open(options: LogFilesOptions, warn: (line: string) => void): Promise<LogFiles> {
    try {
      await makeDirectory(dirname(options.path));
      const files = new LogFiles(options, await openFile(options.path), warn);
      await files.#begin();
      await files.#prune();
      return files;
    } catch (error) {
      if (error instanceof FactoryError) throw error;
      throw new FactoryError(
        'ERR_FACTORY_SETUP',
        `audit.file.path: ${options.path}: ${codeOf(error) ?? 'can not be opened'}`,
        { cause: error },
      );
    }
  }

  /**
   * Writes whole lines, or nothing.
   *
   * @throws with the code of the system.
   */
  async append(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    await this.#follow();
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxSizeBytes) await this.#rotate();
    try {
      for (let done = 0; done < bytes.length;) done += (await this.#file.write(bytes, done)).bytesWritten;
      this.#size += bytes.length;
    } catch (error) {
      await this.#file.truncate(this.#size).catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.sync().catch(() => {});
    await this.#file.close();
  }

  /** A line that a crash has cut off ends here, so that the next one is whole. */
  async #begin(): Promise<void> {
    this.#size = (await this.#file.stat()).size;
    if (this.#size === 0) return;
    const last = Buffer.alloc(1);
    await this.#file.read(last, 0, 1, this.#size - 1);
    if (last[0] === 0x0a) return;
    await this.#file.write('\n');
    this.#size += 1;
  }

  /** Whoever moves or removes the file has a new one written. */
  async #follow(): Promise<void> {
    const [ours, named] = await Promise.all([this.#file.stat(), stat(this.path).catch(() => undefined)]);
    if (named?.ino === ours.ino && named.dev === ours.dev) return;
    await this.#exchange();
  }

  /** What can't be put aside grows. */
  async #rotate(): Promise<void> {
    try {
      await rename(this.path, await this.#freeName());
      await this.#exchange();
      this.#warned = '';
    } catch (error) {
      this.#warnOnce(`can not be put aside: ${codeOf(error) ?? 'fails'}`);
    }
    await this.#prune();
  }

  async #exchange(): Promise<void> {
    const next = await openFile(this.path);
    await this.#file.close();
    this.#file = next;
    await this.#begin();
  }

  /** No file is ever renamed over another one. */
  async #freeName(): Promise<string> {
    for (let time = this.#now().getTime(); ; time += 1) {
      const name = join(dirname(this.path), this.#backupName(new Date(time)));
      const found = await lstat(name).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
      if (found === undefined) return name;
    }
  }

  /** Removes what is too old or too much, and nothing that was not named here. */
  async #prune(): Promise<void> {
    const { maxAgeDays, maxBackups } = this.#options;
    const oldest =
      maxAgeDays === 0 ? '' : this.#backupName(new Date(this.#now().getTime() - maxAgeDays * dayMs));
    try {
      const backups = (await readdir(dirname(this.path))).filter((name) => this.#isBackup(name)).sort();
      const isMany = (index: number): boolean => maxBackups > 0 && index < backups.length - maxBackups;
      for (const [index, name] of backups.entries())
        if (isMany(index) || name < oldest) await unlink(join(dirname(this.path), name));
    } catch (error) {
      this.#warnOnce(`old files can not be removed: ${codeOf(error) ?? 'fails'}`);
    }
  }

  /** Names sort by time. */
  #backupName(time: Date): string {
    const end = extname(this.path);
    const stamp = time.toISOString().replaceAll(':', '-').replace('Z', '');
    return `${basename(this.path, end)}-${stamp}${end}`;
  }

  #isBackup(name: string): boolean {
    const end = extname(this.path);
    const start = `${basename(this.path, end)}-`;
    const stamp = name.slice(start.length, name.length - end.length);
    const isNamed = name.startsWith(start) && name.endsWith(end);
    return isNamed && /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/.test(stamp);
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  #warnOnce(what: string): void {
    if (what !== this.#warned) this.#warn(`audit: ${this.path}: ${what}`);
    this.#warned = what;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, flags, 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new FactoryError('ERR_FACTORY_SETUP', `audit.file.path: ${path}: is no file`);
}
