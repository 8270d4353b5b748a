import { constants } from 'node:fs';
import { link, lstat, mkdir, open, symlink } from 'node:fs/promises';

import { OutputError } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

import { ArchiveError } from '../files/errors.ts';
import { nameText } from '../files/name-text.ts';
import type { TarEntry } from './tar-entries.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const slash = Buffer.from('/');

/**
 * Entries of an archive as files below a directory. Symbolic links are made when all else is there: no entry can be written through
 * one of them.
 */
export class Extraction {
  readonly #directory: Buffer;
  readonly #links = new Map<string, Buffer>();
  readonly #made = new Set<string>(['']);
  #left = 0;

  constructor(directory: string) {
    this.#directory = Buffer.from(directory);
  }

  /** Devices and pipes, which are not made. */
  get left(): number {
    return this.#left;
  }

  /** @throws {ArchiveError} @throws {OutputError} */
  async add(entry: TarEntry): Promise<void> {
    const path = checkedPath(entry.path);
    this.#refuseLinks(path);
    switch (entry.type) {
      case '0':
        await this.#write(path, entry);
        break;
      case '1':
        await this.#link(checkedPath(entry.target), path);
        break;
      case '2':
        if (this.#made.has(path)) throw new ArchiveError(`${shown(path)} is there twice`);
        this.#links.set(path, entry.target);
        break;
      case '3':
      case '4':
      case '6':
        this.#left += 1;
        break;
      case '5':
        await this.#makeDirectories(path);
        break;
      default:
        throw new ArchiveError(`${shown(path)} is of a kind that nobody knows`);
    }
  }

  /** Makes the symbolic links, as they are. */
  async end(): Promise<void> {
    for (const [path, target] of this.#links) {
      await this.#makeDirectories(parentOf(path));
      await this.#do(path, symlink(target, this.#at(path)));
    }
  }

  #refuseLinks(path: string): void {
    for (let parent = path; parent !== ''; parent = parentOf(parent))
      if (this.#links.has(parent))
        throw new ArchiveError(`${shown(path)} leads through the link ${shown(parent)}, or takes its place`);
  }

  async #makeDirectories(path: string): Promise<void> {
    if (this.#made.has(path)) return;
    await this.#makeDirectories(parentOf(path));
    await this.#do(path, mkdir(this.#at(path)));
    this.#made.add(path);
  }

  async #link(target: string, path: string): Promise<void> {
    this.#refuseLinks(target);
    await this.#makeDirectories(parentOf(path));
    const known = await this.#do(target, lstat(this.#at(target)));
    if (!known.isFile()) throw new ArchiveError(`${shown(path)} is a second name of what is no file`);
    await this.#do(path, link(this.#at(target), this.#at(path)));
  }

  async #write(path: string, { content, modified }: TarEntry): Promise<void> {
    await this.#makeDirectories(parentOf(path));
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    await using file = await this.#do(path, open(this.#at(path), flags, 0o666));
    for await (const chunk of content) await this.#do(path, file.writeFile(chunk));
    await this.#do(path, file.utimes(modified, modified));
  }

  #at(path: string): Buffer {
    return Buffer.concat([this.#directory, slash, Buffer.from(path, 'latin1')]);
  }

  async #do<Result>(path: string, work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      const code = codeOf(error);
      throw code === undefined ? error : new OutputError(shown(path), code);
    }
  }
}

/** A path below the directory, without dots and slashes at its ends. @throws {ArchiveError} for one that leads out of it. */
function checkedPath(bytes: Buffer): string {
  const name = bytes.toString('latin1');
  const parts = name.split('/').filter((part, index) => part !== '.' && (part !== '' || index === 0));
  if (parts[0] === '' && parts.length > 1) throw new ArchiveError(`${shown(name)} is absolute`);
  if (parts.includes('..')) throw new ArchiveError(`${shown(name)} leads out of the directory`);
  if (name.includes('\0')) throw new ArchiveError(`${shown(name)} has a NUL`);
  return parts.filter((part) => part !== '').join('/');
}

function parentOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : path.slice(0, end);
}

function shown(path: string): string {
  return path === '' ? '.' : nameText(Buffer.from(path, 'latin1'));
}
