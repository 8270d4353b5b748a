/** One of several runs that together are the whole. */
export type Shard = { readonly index: number; readonly count: number };

/** Reads `2/4`. @throws {RangeError} */
export function readShard(text: string): Shard {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new RangeError(`--shard takes I/N with 1 ≤ I ≤ N, not ${text}`);
  }
  return { index, count };
}

/**
 * The files of a shard: the longest first, each goes to the shard that has least to do. The same files and seconds give the same
 * shards on every machine.
 */
export function filesOfShard(
  files: readonly string[],
  secondsOf: (file: string) => number,
  { index, count }: Shard,
): string[] {
  const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }));
  for (const file of longestFirst(files, secondsOf)) {
    const least = shards.reduce((best, shard) => (shard.seconds < best.seconds ? shard : best));
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return shards[index - 1]?.files.sort() ?? [];
}

/** Files by descending seconds, and by name where those are equal. */
export function longestFirst(files: readonly string[], secondsOf: (file: string) => number): string[] {
  return files
    .map((file) => ({ file, seconds: secondsOf(file) }))
    .toSorted((one, other) => other.seconds - one.seconds || (one.file < other.file ? -1 : 1))
    .map(({ file }) => file);
}
