/** What moves a cursor, rings, turns the direction of a text, or takes no cell of its own. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{M}]/gu;

/** East Asian wide and full-width forms, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** A text of anybody in exactly so many cells of a terminal: cut with an ellipsis, or padded; nothing of it is a command to the terminal. */
export function fit(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  if (width <= 0) return '';
  const characters = Array.from(text.slice(0, 4 * width + 4).replaceAll(unsafe, '?'));
  let used = 0;
  let kept = '';
  for (const character of characters) {
    const cells = wide.test(character) ? 2 : 1;
    if (used + cells > width) return `${cutTo(kept, width - 1)}…`;
    kept += character;
    used += cells;
  }
  const padding = ' '.repeat(width - used);
  return align === 'left' ? kept + padding : padding + kept;
}

/** How many cells a harmless text takes. */
export function cellsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
}

function cutTo(text: string, width: number): string {
  let used = 0;
  let kept = '';
  for (const character of text) {
    const cells = wide.test(character) ? 2 : 1;
    if (used + cells > width) break;
    kept += character;
    used += cells;
  }
  return kept + ' '.repeat(width - used);
}
