import type { Piece } from './btrfs-chunks.ts';
import { RangeSize } from './range-size.ts';

/** Bytes of the filesystem's address space. `length` undefined: to its end, wherever that is. */
export type Range = { readonly start: bigint; readonly length: bigint | undefined };

/** The next range, and how far a trim has come once it is done. */
export type Step = { readonly range: Range; readonly doneBytes: bigint };

/** The range to discard from. */
export type Layout = {
  readonly totalBytes: bigint;
  /** Set where ranges can't begin and end anywhere: in order, without overlaps. */
  readonly pieces?: readonly Piece[];
};

/** Cuts a filesystem into ranges, one after the other, the next as large as the last ones allow. The last is open-ended. */
export class Progression {
  readonly #layout: Layout;
  readonly #size: RangeSize;
  #doneBytes = 0n;
  #piece = 0;
  #ended = false;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#size = new RangeSize(layout.totalBytes);
  }

  next(): Step | undefined {
    if (this.#ended) return undefined;
    const { pieces } = this.#layout;
    return pieces === undefined ? this.#stretch() : this.#whole(pieces);
  }

  /** Tells how long the last range took. */
  took(ms: number): void {
    this.#size.took(ms);
  }

  #stretch(): Step {
    const start = this.#doneBytes;
    this.#doneBytes += this.#size.bytes;
    return this.#step(start, this.#doneBytes);
  }

  /** As many whole pieces as it takes. */
  #whole(pieces: readonly Piece[]): Step {
    const start = this.#piece === 0 ? 0n : (pieces[this.#piece]?.start ?? 0n);
    const before = this.#doneBytes;
    let end = start;
    while (this.#piece < pieces.length && this.#doneBytes - before < this.#size.bytes) {
      const piece = pieces[this.#piece] ?? { start: 0n, length: 0n };
      this.#piece += 1;
      this.#doneBytes += piece.length;
      end = piece.start + piece.length;
    }
    return this.#step(start, end);
  }

  #step(start: bigint, end: bigint): Step {
    const { totalBytes } = this.#layout;
    this.#ended = this.#doneBytes >= totalBytes;
    if (this.#ended) this.#doneBytes = totalBytes;
    const range = { start, length: this.#ended ? undefined : end - start };
    return { range, doneBytes: this.#doneBytes };
  }
}
