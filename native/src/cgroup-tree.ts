import { onAbort } from '@nodecore/waiting';

import { addon } from './addon.ts';
import type { AddonCgroupTree, AddonScan } from './cgroup-addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';

/**
 * Where a number stands in a control file: `{ file: 'cpu.stat', line: 'usage_usec' }`,
 * `{ file: 'memory.pressure', line: 'some', part: 'total' }`, `{ file: 'cpu.max', part: '1' }` (a word of the first
 * line), `{ file: 'cgroup.procs', line: '#' }` (the number of lines).
 */
export type CgroupColumn = { readonly file: string; readonly line?: string; readonly part?: string };

export type CgroupScanRequest = {
  /** Names of files; every file that can be read by default. */
  readonly files?: readonly string[];
  /** Numbers to take out of files; the files are read for them. */
  readonly columns?: readonly CgroupColumn[];
  /** Whether the texts are wanted, too; by default when there are no columns. */
  readonly texts?: boolean;
  /** The most descriptors to keep open, if that is less than 80 % of RLIMIT_NOFILE. */
  readonly maxHeld?: number;
  readonly signal?: AbortSignal;
};

/** What a scan found: flat arrays, so that ten thousand files cost no ten thousand objects. */
export type CgroupScan = AddonScan;

const noLimit = 0xffff_ffff;

/**
 * A cgroup v2 tree that is read again and again by threads of the addon. What was opened stays open, within 80 % of
 * RLIMIT_NOFILE; that costs the kernel about 4 KiB per file.
 */
export class CgroupTreeReader extends Handle<AddonCgroupTree> {
  readonly #path: string;

  /** @throws {NativeError} ENOTSUP when the path is not on cgroup v2; `foreign` reads other filesystems, too. */
  static open(path: string, options: { readonly foreign?: boolean } = {}): CgroupTreeReader {
    const { CgroupTree: Native } = addon();
    return new CgroupTreeReader(
      translated(path, () => new Native(path, options.foreign ?? false)),
      path,
    );
  }

  private constructor(native: AddonCgroupTree, path: string) {
    super(native, 'cgroup tree');
    this.#path = path;
  }

  /**
   * One scan at a time. A signal ends it between two cgroups.
   *
   * @throws {NativeError} ENODEV when the root is gone.
   * @throws {TypeError} when the reader was closed meanwhile.
   */
  async scan(request: CgroupScanRequest = {}): Promise<CgroupScan> {
    const { columns = [], texts = columns.length === 0, maxHeld = noLimit, signal } = request;
    signal?.throwIfAborted();
    const { native } = this;
    const files = request.files ?? (columns.length === 0 || texts ? undefined : []);
    // A reader of every file has those of the columns among them, but columns name files by index.
    const named = [...new Set([...(files ?? []), ...columns.map(({ file }) => file)])];
    const answer = this.readable();
    native.submit(
      files === undefined && columns.length === 0 ? undefined : named,
      Uint32Array.from(columns, ({ file }) => named.indexOf(file)),
      columns.map(({ line = '' }) => line),
      columns.map(({ part = '' }) => part),
      texts,
      maxHeld,
    );
    using _listener = onAbort(signal, () => native.cancel());
    try {
      if (!(await answer)) throw new TypeError('cgroup tree closed during a scan');
      const scan = translated(this.#path, () => native.receive());
      if (scan === undefined) throw new TypeError('cgroup tree without an answer');
      return scan;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }
}
