import type { AddonTable } from './inspect-addon.ts';

/** How many numbers and texts each row has. */
export type RowShape = { readonly numbers: number; readonly texts: number };

/** Rows that become objects when they are asked for: who sends ten thousand of them makes some at a time. */
export class Rows<Row> {
  readonly #table: AddonTable;
  readonly #shape: RowShape;
  readonly #make: (numbers: Float64Array, texts: readonly Buffer[]) => Row;
  readonly length: number;

  constructor(
    table: AddonTable,
    shape: RowShape,
    make: (numbers: Float64Array, texts: readonly Buffer[]) => Row,
  ) {
    this.#table = table;
    this.#shape = shape;
    this.#make = make;
    this.length = table.numbers.length / shape.numbers;
  }

  /** The rows from one to before another. */
  slice(from: number, to: number): Row[] {
    const rows: Row[] = [];
    for (let index = from; index < Math.min(to, this.length); index += 1) rows.push(this.#row(index));
    return rows;
  }

  /** All rows at once. */
  toArray(): Row[] {
    return this.slice(0, this.length);
  }

  #row(index: number): Row {
    const { numbers, ends, text } = this.#table;
    const { numbers: width, texts: count } = this.#shape;
    const first = index * count;
    const texts: Buffer[] = [];
    let at = first === 0 ? 0 : (ends[first - 1] ?? 0);
    for (const end of ends.subarray(first, first + count)) {
      texts.push(text.subarray(at, end));
      at = end;
    }
    return this.#make(numbers.subarray(index * width, (index + 1) * width), texts);
  }
}
