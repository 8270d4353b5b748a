import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { NewError } from './errors.ts';

/** A file to be written. */
export type Change = {
  /** From the root of the checkout. */
  readonly path: string;
  /** Undefined: there is no such file yet. */
  readonly before: string | undefined;
  readonly after: string;
};

/** The changes of one `npm run new`, made in memory: nothing is written before all of them are known to fit. */
export class Changes {
  readonly #checkout: string;
  readonly #all = new Map<string, Change>();

  constructor(checkout: string) {
    this.#checkout = checkout;
  }

  /** In the order in which they were made. */
  get all(): readonly Change[] {
    return [...this.#all.values()];
  }

  /** A path of the checkout. */
  path(path: string): string {
    return join(this.#checkout, path);
  }

  /** @throws {NewError} `ERR_NEW_EXISTS` when there is such a file, or a folder. */
  create(path: string, text: string): void {
    this.refuse(path);
    this.#all.set(path, { path, before: undefined, after: text });
  }

  /** @throws {NewError} `ERR_NEW_EXISTS` when there is such a file, or a folder. */
  refuse(path: string): void {
    if (existsSync(this.path(path)))
      throw new NewError('ERR_NEW_EXISTS', `${path} exists: take another name, or change what is there`);
  }

  /** The text of a file with the changes made so far. */
  async read(path: string): Promise<string> {
    const text = this.#all.get(path)?.after;
    if (text !== undefined) return text;
    try {
      return await readFile(this.path(path), 'utf8');
    } catch {
      throw new NewError(
        'ERR_NEW_PLACE',
        `${path} can not be read: it moved, and packages/foundation/testkit/src/new does not know`,
      );
    }
  }

  /** @param change gets the text, gives the new one; the same one means that the place was not found. */
  async edit(path: string, change: (text: string) => string): Promise<void> {
    const text = await this.read(path);
    const after = change(text);
    if (after === text)
      throw new NewError(
        'ERR_NEW_PLACE',
        `${path} has no place for it any more; mend packages/foundation/testkit/src/new`,
      );
    this.#all.set(path, { path, before: this.#all.has(path) ? this.#all.get(path)?.before : text, after });
  }

  /** Writes everything. @returns the paths. */
  async write(): Promise<readonly string[]> {
    for (const { path, after } of this.all) {
      await mkdir(dirname(this.path(path)), { recursive: true });
      await writeFile(this.path(path), after);
    }
    return this.all.map(({ path }) => path);
  }
}

/** The lines that a change adds, or a new file has, for people. */
export function shown({ path, before, after }: Change): string {
  const lines = after.trimEnd().split('\n');
  if (before === undefined) return [`new   ${path}`, ...lines.map((line) => `  + ${line}`)].join('\n');
  const old = before.split('\n');
  const added = lines.filter((line) => !old.includes(line));
  const removed = old.filter((line) => line !== '' && !lines.includes(line));
  return [
    `edit  ${path}`,
    ...removed.map((line) => `  - ${line}`),
    ...added.map((line) => `  + ${line}`),
  ].join('\n');
}
