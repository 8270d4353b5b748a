import { type Format, formatObjects, print, type Terminal } from '@nodecore/cli';
import { stringifyJson } from '@nodecore/sys/pure';

/** Objects of a list that may be too long for memory: JSON is written as they come, other formats in the end. */
export class ArrayOutput {
  readonly #format: Exclude<Format, { readonly kind: 'table' }>;
  readonly #terminal: Pick<Terminal, 'out'>;
  readonly #held: object[] = [];
  #begun = false;

  constructor(format: Exclude<Format, { readonly kind: 'table' }>, terminal: Pick<Terminal, 'out'>) {
    this.#format = format;
    this.#terminal = terminal;
  }

  async add(objects: readonly object[]): Promise<void> {
    if (objects.length === 0) return;
    if (this.#format.kind !== 'json') {
      this.#held.push(...objects);
      return;
    }
    const text = objects.map((object) => stringifyJson(object)).join(',\n');
    const before = this.#begun ? ',\n' : '[\n';
    this.#begun = true;
    await print(this.#terminal.out, before + text);
  }

  async end(): Promise<void> {
    if (this.#begun) await print(this.#terminal.out, '\n]\n');
    else await print(this.#terminal.out, await formatObjects(this.#held, this.#format, { single: false }));
  }
}
