const newline = 0x0a;

type Piece = { readonly offset: number; readonly data: Uint8Array; readonly lost: number };

/** Pieces that make the last lines of a log. A line that has no end yet counts as one. */
export function lastLines<Of extends Piece>(pieces: readonly Of[], lines: number): readonly Of[] {
  if (lines <= 0) return [];
  let left = lines;
  let isLast = true;
  for (let index = pieces.length - 1; index >= 0; index--) {
    const piece = pieces[index]!;
    const { data, offset } = piece;
    for (let at = data.length - 1; at >= 0; at--) {
      if (data[at] === newline && !isLast) left -= 1;
      isLast = false;
      if (left > 0) continue;
      const rest = { ...piece, offset: offset + at + 1, data: data.subarray(at + 1), lost: 0 };
      return [...(rest.data.length > 0 ? [rest] : []), ...pieces.slice(index + 1)];
    }
  }
  return pieces;
}
