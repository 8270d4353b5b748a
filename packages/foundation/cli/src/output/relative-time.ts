const units = [
  ['year', 365 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `in 11 days`, `2 hours ago`: the largest unit that fits, rounded towards now. */
export function relativeTime(differenceMs: number): string {
  const distance = Math.abs(differenceMs);
  const [unit, lengthMs] = units.find(([, length]) => distance >= length) ?? ['minute', 60_000];
  const count = Math.floor(distance / lengthMs);
  const amount = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return differenceMs < 0 ? `${amount} ago` : `in ${amount}`;
}
