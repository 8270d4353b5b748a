const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** `1.5 MiB`: powers of 1024, one decimal below ten of the unit, none from there on. */
export function humanBytes(bytes: bigint): string {
  if (bytes < 10n) return `${bytes} B`;
  let unit = 0;
  let below = 1n;
  while (unit + 1 < units.length && bytes >= below * 1024n) {
    below *= 1024n;
    unit += 1;
  }
  // In tenths of the unit, halves up.
  const tenths = (bytes * 20n + below) / (below * 2n);
  const text = tenths < 100n ? `${tenths / 10n}.${tenths % 10n}` : String((tenths + 5n) / 10n);
  return `${text} ${units[unit]}`;
}

/** Microseconds as `1h2m3.4s`, `1.5ms`, `10µs`, `0s`: the largest units first, a fraction only in the last. */
export function humanDuration(microseconds: bigint): string {
  if (microseconds < 0n) return `-${humanDuration(-microseconds)}`;
  if (microseconds === 0n) return '0s';
  if (microseconds < 1000n) return `${microseconds}µs`;
  if (microseconds < 1_000_000n) return `${fraction(microseconds, 3)}ms`;
  const seconds = microseconds / 1_000_000n;
  const hours = seconds / 3600n;
  const minutes = (seconds / 60n) % 60n;
  const rest = `${fraction(microseconds % 60_000_000n, 6)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${rest}`;
  return minutes > 0n ? `${minutes}m${rest}` : rest;
}

/** Moves the point `places` to the left; zeros at the end go. */
function fraction(value: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const after = String(value % scale)
    .padStart(places, '0')
    .replace(/0+$/, '');
  return after === '' ? String(value / scale) : `${value / scale}.${after}`;
}
