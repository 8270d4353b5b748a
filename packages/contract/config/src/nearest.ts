/** The one of `names` that is meant by a misspelt `name`: at most two characters differ. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const most = name.length < 5 ? 1 : 2;
  const all = names.map((one) => ({
    one,
    distance: distanceOf(name.toLowerCase(), one.toLowerCase(), most),
  }));
  return all.filter(({ distance }) => distance <= most).toSorted((a, b) => a.distance - b.distance)[0]?.one;
}

/** Levenshtein's distance; above `most` it is only known to be above. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? most + 1;
}
