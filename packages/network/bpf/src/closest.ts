/** The words that are at most two typing errors away, nearest first; none for words of less than three letters. */
export function closest(word: string, words: readonly string[]): readonly string[] {
  if (word.length < 3 || word.length > 20) return [];
  const allowed = word.length < 5 ? 1 : 2;
  return words
    .map((candidate) => ({ candidate, errors: typingErrors(word, candidate) }))
    .filter(({ errors }) => errors > 0 && errors <= allowed)
    .sort((a, b) => a.errors - b.errors)
    .slice(0, 5)
    .map(({ candidate }) => candidate);
}

/** Letters missing, superfluous, wrong, or exchanged with their neighbour (optimal string alignment). */
function typingErrors(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const wrong = a[i - 1] === b[j - 1] ? 0 : 1;
      const above = rows[i - 1] ?? [];
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + wrong);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 9) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
