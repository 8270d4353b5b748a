import { constants } from 'node:fs';
import { link, lstat, mkdir, open, symlink } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys/pure';
import type { Header } from 'tar-stream';

import { OutputError } from '../errors.ts';
import { ArchiveError } from '../files/errors.ts';
import { nameText } from '../files/name-text.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const slash = Buffer.from('/');

/**
 * Entries of an archive as files below a directory. Symbolic links are made when all else is there: no entry can be written through
 * one of them.
 */
export class Extraction {
  readonly #directory: Buffer;
  readonly #links = new Map<string, string>();
  readonly #made = new Set<string>(['']);
  #left = 0;

  constructor(directory: string) {
    this.#directory = Buffer.from(directory);
  }

  /** Devices and pipes, which are not made. */
  get left(): number {
    return this.#left;
  }

  /** @param content is read to its end. @throws {ArchiveError} @throws {OutputError} */
  async add(header: Header, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = checkedPath(header.name);
    this.#refuseLinks(path);
    switch (header.type) {
      case 'directory':
        await this.#makeDirectories(path);
        break;
      case 'symlink':
        if (this.#made.has(path)) throw new ArchiveError(`${shown(path)} is there twice`);
        this.#links.set(path, header.linkname ?? '');
        break;
      case 'link':
        await this.#link(checkedPath(header.linkname ?? ''), path);
        break;
      case 'file':
      case 'contiguous-file':
        await this.#write(path, header, content);
        return;
      case 'block-device':
      case 'character-device':
      case 'fifo':
        this.#left += 1;
        break;
      default:
        throw new ArchiveError(`${shown(path)} is of a kind that nobody knows`);
    }
    for await (const _chunk of content); // a reader goes on when all of it was taken
  }

  /** Makes the symbolic links, as they are. */
  async end(): Promise<void> {
    for (const [path, target] of this.#links) {
      await this.#makeDirectories(parentOf(path));
      await this.#do(path, symlink(Buffer.from(target, 'latin1'), this.#at(path)));
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

  async #write(path: string, header: Header, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#makeDirectories(parentOf(path));
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    await using file = await this.#do(path, open(this.#at(path), flags, 0o666));
    for await (const chunk of content) await this.#do(path, file.writeFile(chunk));
    if (header.mtime !== undefined) await this.#do(path, file.utimes(header.mtime, header.mtime));
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
function checkedPath(name: string): string {
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
