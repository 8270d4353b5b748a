const gap = 3;

/**
 * Lays rows out under upper-case headers, three spaces between columns. Written in pieces, a later piece keeps the
 * widths of the earlier ones, so that what a watch prints stays in its columns as far as it can.
 */
export class Table {
  readonly #headers: readonly string[];
  readonly #widths: number[];
  #started = false;

  /** @param options `verbatim`: headers are somebody's own, and stay as they are. */
  constructor(headers: readonly string[], { verbatim = false }: { readonly verbatim?: boolean } = {}) {
    this.#headers = headers.map((header) => (verbatim ? printable(header) : header.toUpperCase()));
    this.#widths = this.#headers.map((header) => header.length);
  }

  /** The next rows as text, the first time with the headers. */
  format(rows: readonly (readonly string[])[]): string {
    const lines = rows.map((row) => row.map(printable));
    for (const line of lines)
      for (const [column, cell] of line.entries())
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, cell.length);
    const all = this.#started ? lines : [this.#headers, ...lines];
    this.#started = true;
    return all.map((line) => `${this.#pad(line)}\n`).join('');
  }

  #pad(line: readonly string[]): string {
    return line
      .map((cell, column) => cell.padEnd((this.#widths[column] ?? 0) + gap))
      .join('')
      .trimEnd();
  }
}

/** Names on a node can hold anything, also what moves the cursor, ends the line, or turns the order of what stands behind it. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the ones
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '?');
}
