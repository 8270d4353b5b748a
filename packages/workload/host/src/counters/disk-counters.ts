const names = [
  'reads',
  'readsMerged',
  'sectorsRead',
  'readMillis',
  'writes',
  'writesMerged',
  'sectorsWritten',
  'writeMillis',
  'inProgress',
  'busyMillis',
  'weightedMillis',
] as const;
/** Since Linux 4.18, and 5.5. */
const laterNames = [
  'discards',
  'discardsMerged',
  'sectorsDiscarded',
  'discardMillis',
  'flushes',
  'flushMillis',
] as const;

/** What a disk or partition has done since it came; a sector has 512 bytes. What this kernel does not count is absent. */
export type DiskCounters = { readonly name: string } & Readonly<Record<(typeof names)[number], bigint>> &
  Readonly<Partial<Record<(typeof laterNames)[number], bigint>>>;

/** `/proc/diskstats` (Documentation/admin-guide/iostats.rst). */
export function parseDiskCounters(text: string): readonly DiskCounters[] {
  return text.split('\n').flatMap((line) => {
    const [, , name, ...counts] = line.trim().split(/\s+/u);
    if (name === undefined || counts.length < names.length) return [];
    const pairs = [...names, ...laterNames].flatMap((key, index) => {
      const count = counts[index];
      return count === undefined ? [] : [[key, BigInt(count)] as const];
    });
    return [{ name, ...(Object.fromEntries(pairs) as Omit<DiskCounters, 'name'>) }];
  });
}

/** The sum of some disks. */
export function sumOfDisks(disks: readonly DiskCounters[]): DiskCounters {
  const sums = [...names, ...laterNames].flatMap((key) => {
    const counts = disks.flatMap((disk) => disk[key] ?? []);
    const isOwed = (names as readonly string[]).includes(key);
    return counts.length === 0 && !isOwed
      ? []
      : [[key, counts.reduce((sum, count) => sum + count, 0n)] as const];
  });
  return { name: '', ...(Object.fromEntries(sums) as Omit<DiskCounters, 'name'>) };
}
