import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { checkout } from './paths.ts';

/** A directory that a filesystem is made of. Modes are given, whatever the umask is; owners and times come with the filesystem. */
export class Tree {
  readonly directory: string;
  readonly #sizes = new Map<string, number>();
  readonly #sources = new Set<string>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Bytes of files by what they were said to be for. */
  get sizes(): ReadonlyMap<string, number> {
    return this.#sizes;
  }

  /** Files of this machine that are in it, as they are or in others. */
  get sources(): readonly string[] {
    return [...this.#sources];
  }

  /** Says that these files of this machine went into files that are written. */
  note(sources: Iterable<string>): void {
    for (const source of sources) this.#sources.add(source);
  }

  /** Where a path of the tree is on this machine. */
  at(path: string): string {
    return join(this.directory, path);
  }

  /** A directory and those above it, mode 0755. */
  async add(path: string): Promise<void> {
    if (path !== '/') await this.add(dirname(path));
    await mkdir(this.at(path), { recursive: true });
    await chmod(this.at(path), 0o755);
  }

  async link(path: string, target: string): Promise<void> {
    await this.add(dirname(path));
    await symlink(target, this.at(path));
  }

  async write(path: string, content: string | Uint8Array, purpose: string): Promise<void> {
    await this.add(dirname(path));
    await writeFile(this.at(path), content);
    await chmod(this.at(path), 0o644);
    this.#count(purpose, Buffer.byteLength(content));
  }

  /** Copies the file that `from` is, or leads to: mode 0755 when somebody may run it, else 0644. */
  async copy(from: string, path: string, purpose: string): Promise<void> {
    const file = await realpath(from);
    const { mode, size } = await lstat(file);
    await this.add(dirname(path));
    await copyFile(file, this.at(path));
    // What is unpacked or built here goes by its name, wherever a link leads; a package of this machine knows its files.
    this.#sources.add(from.startsWith(`${checkout}/`) ? from : file);
    await chmod(this.at(path), (mode & 0o111) === 0 ? 0o644 : 0o755);
    this.#count(purpose, size);
  }

  /** Copies regular files below a directory for which `wants` says yes to their path in it. */
  async copyBelow(
    from: string,
    path: string,
    purpose: string,
    wants = (_path: string) => true,
  ): Promise<void> {
    const entries = await readdir(from, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const file = join(entry.parentPath, entry.name);
      const inside = file.slice(from.length + 1);
      if (wants(inside)) await this.copy(file, join(path, inside), purpose);
    }
  }

  /** What was made in it by a program: counted, with modes as all others have. */
  async adopt(path: string, purpose: string): Promise<void> {
    for (const entry of await readdir(this.at(path), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      await chmod(file, entry.isDirectory() ? 0o755 : 0o644);
      if (entry.isFile()) this.#count(purpose, (await lstat(file)).size);
    }
    await chmod(this.at(path), 0o755);
  }

  async read(path: string): Promise<Buffer> {
    return await readFile(this.at(path));
  }

  #count(purpose: string, size: number): void {
    this.#sizes.set(purpose, (this.#sizes.get(purpose) ?? 0) + size);
  }
}
