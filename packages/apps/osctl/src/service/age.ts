const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** How long ago a time was, in its two largest units: `2h5m`, `12s`. A time that a node's clock has still before it is `0s` ago. */
export function age(time: string, nowMs: number = Date.now()): string {
  let left = Math.max(0, Math.floor((nowMs - Date.parse(time)) / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of units) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0 || (unit === 's' && parts.length === 0)) parts.push(`${count}${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join('');
}
