/** The names that are nearest to what was asked for, by the number of characters to change; three by default. */
export function nearest(asked: string, names: Iterable<string>, max = 3): readonly string[] {
  const limited = asked.slice(0, 128);
  return Array.from(names, (name) => ({ name, distance: distance(limited, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, max)
    .map(({ name }) => name);
}

/** Levenshtein, row by row. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
