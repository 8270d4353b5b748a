const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** A size for people, in SI units: `54 GB`, and below ten of a unit with one decimal: `5.4 GB`. */
export function prettySize(bytes: bigint): string {
  if (bytes < 10n) return `${bytes} B`;
  let base = 1n;
  let unit = 0;
  while (unit + 1 < units.length && bytes >= base * 1000n) {
    base *= 1000n;
    unit += 1;
  }
  const tenths = (bytes * 10n + base / 2n) / base;
  if (tenths >= 100n || unit === 0) return `${(bytes + base / 2n) / base} ${units[unit]}`;
  return `${tenths / 10n}.${tenths % 10n} ${units[unit]}`;
}
