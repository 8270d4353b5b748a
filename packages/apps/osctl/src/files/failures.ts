import type { FileFailure } from '@nodecore/api/file';
import { print, printable, type Terminal } from '@nodecore/cli';

import { IncompleteError } from './errors.ts';
import { nameText } from './name-text.ts';

/** Lines for a person to read; a tree can have more that fail than anybody would. */
const mostLines = 1000;

/** What could not be looked at, told when everything else is printed. */
export class Failures {
  readonly #lines: string[] = [];
  #count = 0;

  /** @param more failures that the node has counted only. */
  add(node: string, failures: readonly FileFailure[], more = 0): void {
    this.#count += failures.length + more;
    for (const { path, error, call } of failures) {
      if (this.#lines.length === mostLines) break;
      const name = path.length === 0 ? '.' : nameText(path);
      this.#lines.push(`osctl: ${printable(node)}: ${name}: ${printable(`${call}: ${error}`)}\n`);
    }
  }

  /** @throws {IncompleteError} when there are any. */
  async tell({ error }: Pick<Terminal, 'error'>): Promise<void> {
    if (this.#count === 0) return;
    const unnamed = this.#count - this.#lines.length;
    const rest = unnamed > 0 ? [`osctl: and ${unnamed} more\n`] : [];
    await print(error, [...this.#lines, ...rest].join(''));
    throw new IncompleteError(this.#count);
  }
}
