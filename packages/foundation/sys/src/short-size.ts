const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** Bytes for people, in powers of 1000 with three digits at least: `1.29 GB`. */
export function shortSize(bytes: bigint): string {
  let value = Number(bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
