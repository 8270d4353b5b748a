const levels = Array.from('▁▂▃▄▅▆▇█');

/** The newest values on the right, one cell each, against a largest one; a space where nothing is known. */
export function sparkline(
  values: readonly (number | undefined)[],
  width: number,
  largest: number = Math.max(0, ...values.map((value) => value ?? 0)),
): string {
  const shown = width <= 0 ? [] : values.slice(-width);
  const line = shown.map((value) => {
    if (value === undefined) return ' ';
    const share = largest > 0 ? Math.min(1, Math.max(0, value / largest)) : 0;
    return levels[Math.round(share * (levels.length - 1))]!;
  });
  return line.join('').padStart(Math.max(0, width));
}

/** `[████    ]`: how much of a whole is used; empty where that is not known. */
export function bar(share: number | undefined, width: number): string {
  if (width < 3) return ' '.repeat(Math.max(0, width));
  const room = width - 2;
  const full = Math.round(Math.min(1, Math.max(0, share ?? 0)) * room);
  return `[${'█'.repeat(full).padEnd(room)}]`;
}
