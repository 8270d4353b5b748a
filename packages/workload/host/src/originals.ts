import { readFile } from 'node:fs/promises';

import { codeOf, removeFileDurably, writeFileAtomic } from '@nodecore/sys';

/**
 * What stood where we wrote, by path: remembered before the first write, so that a process that is killed at any moment leaves
 * a record of everything that it may have changed. Lies where nothing outlives the boot when what it tells of does not either.
 */
export class Originals {
  readonly #file: string;
  #texts: Map<string, string> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Paths in it, with the text that was there before. */
  async all(): Promise<ReadonlyMap<string, string>> {
    return await this.#load();
  }

  /** Keeps the text for the path, unless one is kept already. Durable when it resolves. */
  async remember(path: string, text: string): Promise<void> {
    const texts = await this.#load();
    if (texts.has(path)) return;
    await this.#save(new Map([...texts, [path, text]]));
  }

  /** The path is as it was before us. */
  async forget(path: string): Promise<void> {
    const texts = await this.#load();
    if (!texts.has(path)) return;
    await this.#save(new Map([...texts].filter(([name]) => name !== path)));
  }

  async #load(): Promise<ReadonlyMap<string, string>> {
    if (this.#texts !== undefined) return this.#texts;
    try {
      const texts: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      const entries = Object.entries(texts as Record<string, unknown>);
      this.#texts = new Map(entries.map(([path, text]) => [path, String(text)]));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      this.#texts = new Map();
    }
    return this.#texts;
  }

  async #save(texts: Map<string, string>): Promise<void> {
    if (texts.size === 0) await removeFileDurably(this.#file);
    else await writeFileAtomic(this.#file, `${JSON.stringify(Object.fromEntries(texts))}\n`);
    this.#texts = texts;
  }
}
