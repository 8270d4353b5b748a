import type { Writable } from 'node:stream';

import { print } from '../terminal.ts';

/**
 * Shows a text that changes: on a terminal each one in the place of the one before, cut to what the window holds, elsewhere
 * one after the other with an empty line between.
 */
export class Screen {
  readonly #stream: Writable & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'rows' | 'columns'>>;
  #shown = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** Whether a text takes the place of the one before. */
  get replaces(): boolean {
    return this.#stream.isTTY === true;
  }

  /** @param text lines, each with its end. */
  async show(text: string): Promise<void> {
    const first = !this.#shown;
    this.#shown = true;
    if (!this.replaces) {
      await print(this.#stream, first ? text : `\n${text}`);
      return;
    }
    const { rows = 24, columns = 80 } = this.#stream;
    const all = text.replace(/\n$/, '').split('\n');
    const fitting = all.length < rows ? all : [...all.slice(0, rows - 2), `… ${all.length - rows + 2} more`];
    // Each line ends what was there of the one before; nothing is erased first, so nothing flickers.
    const lines = fitting.map((line) => `${line.slice(0, columns)}\u001B[K\n`).join('');
    await print(this.#stream, `${first ? '\u001B[2J' : ''}\u001B[H${lines}\u001B[J`);
  }
}
