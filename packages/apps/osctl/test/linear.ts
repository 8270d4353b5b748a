import type { ExecutionContext } from 'ava';

const size = 1 << 20;

/** That work on a text of a piece that is there again and again takes no square of its length. */
export function isLinear(t: ExecutionContext, piece: string, work: (text: string) => unknown): void {
  const text = piece.repeat(size / piece.length);
  const start = performance.now();
  work(text);
  const took = performance.now() - start;
  // On a busy machine, too; a square would take minutes.
  t.true(took < 10_000, `${JSON.stringify(piece)}: ${took} ms`);
}
