import { type CgroupScan, CgroupTreeReader } from '@nodecore/native';
import { Serial } from '@nodecore/waiting';

import { type Cells, type Column, toCells } from './columns.ts';
import { CgroupError } from './errors.ts';
import { errnoOf, translate } from './failure.ts';
import { findHierarchy } from './hierarchy.ts';
import { CgroupNode } from './node.ts';
import { reachable } from './path-bytes.ts';
import type { CgroupTree, GoneCgroup } from './tree.ts';

export type ReadOptions = {
  /** Names of files, `memory.current`; every file that can be read by default. */
  readonly files?: readonly string[];
  /** Ends the scan between two cgroups. */
  readonly signal?: AbortSignal;
};

export type OpenOptions = {
  /** The most descriptors to keep open, if that is less than 80 % of RLIMIT_NOFILE. Each costs the kernel some 4 KiB. */
  readonly maxHeld?: number;
  /** Reads any directory as if it were a cgroup; for files that were copied from another machine. */
  readonly foreign?: boolean;
};

/** More than any kernel lets a process open. */
const maxEver = 2 ** 31 - 1;

type Place = { readonly path: string; readonly name: string };

/**
 * Reads a tree of cgroups again and again. What it opened stays open, within 80 % of RLIMIT_NOFILE, so that every scan
 * after the first costs about one system call per file. Scans of one reader run one after the other.
 */
export class CgroupReader implements Disposable {
  readonly directory: string;
  readonly #native: CgroupTreeReader;
  readonly #queue: Serial = new Serial();
  readonly #places = new Map<number, Place>();
  #numbers: ReadonlyMap<string, number> = new Map();
  readonly #maxHeld: number | undefined;
  readonly #identity = Symbol('reader');

  /**
   * @param directory of a cgroup; the root of the machine's cgroup v2 hierarchy by default.
   * @throws {CgroupError} `ERR_CGROUP_VERSION` when it is not on cgroup v2, `ERR_CGROUP_NOT_FOUND`, `ERR_CGROUP_OPTION`.
   */
  static async open(directory?: string, options: OpenOptions = {}): Promise<CgroupReader> {
    const path = directory ?? (await findHierarchy()).directory;
    const { maxHeld = 0 } = options;
    if (!Number.isInteger(maxHeld) || maxHeld < 0 || maxHeld > maxEver) {
      throw new CgroupError('ERR_CGROUP_OPTION', path, `maxHeld is ${maxHeld}, not 0 to ${maxEver}`);
    }
    try {
      return new CgroupReader(
        reachable(path, (there) => CgroupTreeReader.open(there, { foreign: options.foreign ?? false })),
        path,
        options,
      );
    } catch (error) {
      throw errnoOf(error) === 'ENOTSUP' || errnoOf(error) === 'EOPNOTSUPP'
        ? await notSecond(path, error)
        : translate(error, path);
    }
  }

  private constructor(native: CgroupTreeReader, directory: string, options: OpenOptions) {
    this.#native = native;
    this.directory = directory;
    this.#maxHeld = options.maxHeld;
  }

  /** @throws {CgroupError} `ERR_CGROUP_NOT_FOUND` when the root is gone. */
  async read(options: ReadOptions = {}): Promise<CgroupTree> {
    const { files, signal } = options;
    return await this.#queue.run(
      async () => this.#toTree(await this.#scan({ ...(files && { files }) }, signal)),
      signal,
    );
  }

  /**
   * Only numbers, taken out of the files by the reader's threads: an array per column, a cell per cgroup. For those who
   * read ten thousand cgroups every second.
   */
  async readColumns(
    columns: readonly Column[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Cells> {
    const { signal } = options;
    return await this.#queue.run(async () => {
      const scan = await this.#scan({ files: [], columns, texts: false }, signal);
      this.#follow(scan);
      return toCells(scan, columns, (id) => this.#places.get(id)?.path ?? '');
    }, signal);
  }

  /** Gives the descriptors back. Twice is fine. */
  close(): void {
    this.#native.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #scan(
    request: Parameters<CgroupTreeReader['scan']>[0],
    signal: AbortSignal | undefined,
  ): Promise<CgroupScan> {
    try {
      return await this.#native.scan({
        ...request,
        ...(this.#maxHeld === undefined ? {} : { maxHeld: this.#maxHeld }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw translate(error, this.directory);
    }
  }

  /** Learns where new cgroups are, and forgets those that are gone. */
  #follow(scan: CgroupScan): GoneCgroup[] {
    const gone = Array.from(scan.gone, (id) => ({ id, path: this.#places.get(id)?.path ?? '' }));
    for (const { id } of gone) this.#places.delete(id);
    for (const { id, parent, name } of scan.appeared) {
      const above = this.#places.get(parent)?.path;
      const place =
        id === 0 ? { path: '/', name: '' } : { path: above === '/' ? `/${name}` : `${above}/${name}`, name };
      this.#places.set(id, place);
    }
    return gone;
  }

  /** The same map for the same names: by it two readings know that their entries have the same numbers. */
  #numbersOf(names: readonly string[]): ReadonlyMap<string, number> {
    const isKnown =
      names.length === this.#numbers.size && names.every((name, at) => this.#numbers.get(name) === at);
    if (!isKnown) this.#numbers = new Map(names.map((name, number) => [name, number]));
    return this.#numbers;
  }

  #toTree(scan: CgroupScan): CgroupTree {
    const gone = this.#follow(scan);
    const texts = {
      scan,
      buffers: scan.arenas.map((arena) => Buffer.from(arena)),
      numbers: this.#numbersOf(scan.fileNames),
    };
    const byPath = new Map<string, CgroupNode>();
    const nodes = Array.from(scan.order, (id, index) => {
      const { path, name } = this.#places.get(id) ?? { path: '/', name: '' };
      const parent = byPath.get(path.slice(0, Math.max(1, path.length - name.length - 1)));
      const node = new CgroupNode(texts, index, { path, name, parent: id === 0 ? undefined : parent });
      byPath.set(path, node);
      return node;
    });
    const appeared = new Set(scan.appeared.map(({ id }) => id));
    const [root] = nodes;
    if (root === undefined) throw new TypeError('a scan without a root');
    return {
      directory: this.directory,
      root,
      nodes,
      find: (path) => byPath.get(path),
      appeared: appeared.size === 0 ? [] : nodes.filter(({ id }) => appeared.has(id)),
      gone,
      descriptors: { held: scan.held, limit: scan.limit },
      reader: this.#identity,
    };
  }
}

/** Says what is there instead of cgroup v2. */
async function notSecond(path: string, cause: unknown): Promise<CgroupError> {
  const found = await findHierarchy().catch((error: unknown) => error);
  const instead =
    found instanceof Error
      ? found.message
      : `the cgroup v2 hierarchy is at ${(found as { directory: string }).directory}`;
  return new CgroupError('ERR_CGROUP_VERSION', path, `not on cgroup v2; ${instead}`, { cause });
}
