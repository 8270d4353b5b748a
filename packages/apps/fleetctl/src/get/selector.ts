import { UsageError } from '@nodecore/cli';
import type { LabelTerm } from '@nodecore/fleet-api/protocol';

const key = String.raw`[A-Za-z0-9][A-Za-z0-9._/-]*`;
const comparison = new RegExp(String.raw`^(${key})\s*(==|=|!=)\s*([^=!]*)$`, 'u');
const presence = new RegExp(`^(!?)(${key})$`, 'u');

/** The terms of `-l`: `k=v`, `k==v`, `k!=v`, `k`, `!k`. @throws {UsageError} for anything else. */
export function parseSelector(text: string): readonly LabelTerm[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => {
    const term = part.trim();
    const compared = comparison.exec(term);
    if (compared !== null)
      return { label: compared[1]!, values: [compared[3]!.trim()], not: compared[2] === '!=' };
    const present = presence.exec(term);
    if (present !== null) return { label: present[2]!, values: [], not: present[1] === '!' };
    throw new UsageError(`-l: "${term}" is none of k=v, k!=v, k, !k`);
  });
}
