/** A character, a class, or a bracket: what a repetition stands behind. */
const piece =
  /\\Q[^]*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\{(?<least>\d+)(?<comma>,(?<most>\d*))?\}|[^]/suy;

/**
 * About how many instructions a pattern comes to, with its repetitions written out. It says so before the pattern is
 * compiled, because compiling takes as long.
 */
export function patternSize(source: string): number {
  const groups = [0];
  let last = 0; // what a repetition would repeat
  const add = (size: number): void => {
    groups.push((groups.pop() ?? 0) + size);
  };
  piece.lastIndex = 0;
  for (let match = piece.exec(source); match !== null && match[0] !== ''; match = piece.exec(source)) {
    const { least, most } = match.groups ?? {};
    if (least !== undefined) {
      const more = last * (Math.max(Number(least), Number(most ?? 0), 1) - 1);
      add(more);
      last += more;
    } else if (match[0] === '(') {
      groups.push(0);
    } else if (match[0] === ')' && groups.length > 1) {
      last = (groups.pop() ?? 0) + 2;
      add(last);
    } else {
      last = match[0].startsWith('\\Q') ? match[0].length : 1;
      add(last);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
