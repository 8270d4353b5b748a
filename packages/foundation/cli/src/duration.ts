import { InvalidArgumentError } from 'commander';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as `1m0s`, `90s` or `1.5h`. For flags: throws commander's `InvalidArgumentError`. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new InvalidArgumentError('Expected a duration like 1m0s, 90s or 500ms.');
  return Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitsMs[unit!] ?? 0), 0));
}
