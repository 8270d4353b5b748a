import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Attributes of the kernel's objects, read from a directory that looks like `/sys`.
 *
 * Reads are synchronous: the kernel answers from memory, and a pool thread would cost more than the answer. An
 * attribute that does not exist or that the driver refuses to show reads as undefined.
 */
export class Sysfs {
  readonly root: string;

  constructor(root = '/sys') {
    this.root = root;
  }

  /** The trimmed text of an attribute. */
  text(...path: readonly string[]): string | undefined {
    try {
      return readFileSync([this.root, ...path].join('/'), 'utf8').trim();
    } catch {
      return undefined;
    }
  }

  /** The first of several attributes that is there and not empty. */
  first(directory: string, names: readonly string[]): string {
    for (const name of names) {
      const text = this.text(directory, name);
      if (text !== undefined && text !== '') return text;
    }
    return '';
  }

  bytes(...path: readonly string[]): Uint8Array | undefined {
    try {
      return readFileSync([this.root, ...path].join('/'));
    } catch {
      return undefined;
    }
  }

  /** A decimal attribute; undefined when it is absent or something else. */
  number(...path: readonly string[]): bigint | undefined {
    const text = this.text(...path);
    return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
  }

  flag(...path: readonly string[]): boolean {
    return this.text(...path)?.startsWith('1') ?? false;
  }

  /** The `KEY=value` lines of a `uevent` attribute. */
  uevent(directory: string): ReadonlyMap<string, string> {
    const lines = this.text(directory, 'uevent')?.split('\n') ?? [];
    return new Map(
      lines.filter((line) => line.includes('=')).map((line) => [key(line), line.slice(key(line).length + 1)]),
    );
  }

  /** The names in a directory, sorted; none when there is no such directory. */
  entries(...path: readonly string[]): string[] {
    try {
      return readdirSync([this.root, ...path].join('/')).sort();
    } catch {
      return [];
    }
  }

  /** Where a link points to, as it is written. */
  link(...path: readonly string[]): string | undefined {
    try {
      return readlinkSync([this.root, ...path].join('/'));
    } catch {
      return undefined;
    }
  }

  /**
   * Where a link leads to, as a path below the root; undefined when it is no link. Cheaper than {@link resolve}, and right
   * when `path` itself goes through no other link.
   */
  follow(path: string): string | undefined {
    const target = this.link(path);
    return target === undefined ? undefined : posix.join(posix.dirname(path), target);
  }

  /** The directory that a path names once its links are followed, as an absolute path below `/sys`. */
  resolve(...path: readonly string[]): string | undefined {
    try {
      return realpathSync(join(this.root, ...path)).replace(realpathSync(this.root), '/sys');
    } catch {
      return undefined;
    }
  }
}

function key(line: string): string {
  return line.slice(0, line.indexOf('='));
}
