import { type Format, formatStreamed, print, Screen, type Terminal } from '@nodecore/cli';

export type LiveTableParts<Found> = {
  /** The nodes by name, in the order in which they stand in the table. */
  readonly nodes: readonly string[];
  readonly format: Format;
  readonly terminal: Terminal;
  /** Of what several nodes said. */
  readonly table: (all: readonly Found[]) => string;
  /** What one node said, for programs. */
  readonly objects: (found: Found) => readonly object[];
};

/**
 * What nodes say again and again. A terminal shows the newest of each in one table that stays in its place; elsewhere each answer
 * is printed as it comes.
 */
export class LiveTable<Found extends { readonly node: string }> {
  readonly #parts: LiveTableParts<Found>;
  readonly #screen: Screen;
  readonly #newest = new Map<string, Found>();

  constructor(parts: LiveTableParts<Found>) {
    this.#parts = parts;
    this.#screen = new Screen(parts.terminal.out);
  }

  async show(found: Found): Promise<void> {
    const { nodes, format, terminal, table, objects } = this.#parts;
    if (format.kind !== 'table') {
      const lines = objects(found).map((object) => formatStreamed(object, format));
      await print(terminal.out, (await Promise.all(lines)).join(''));
      return;
    }
    this.#newest.set(found.node, found);
    const shown = this.#screen.replaces ? nodes.flatMap((name) => this.#newest.get(name) ?? []) : [found];
    await this.#screen.show(table(shown));
  }
}
