import type { Facts, Found, Growth } from '../facts/facts.ts';
import { rebootReason } from './spec-change.ts';

type Standing = {
  readonly device: Facts['device'];
  readonly found: Found | undefined;
  readonly growth: Growth;
};

/**
 * What is to be said about a volume with which nothing is to be done now.
 *
 * @param told what was said until now. It stays, but for the absence of a disk that is back.
 */
export function standingReason(
  told: string | undefined,
  { device, found, growth }: Standing,
): string | undefined {
  const absence =
    found &&
    `${found.devPath} is not here any more, and nothing can be read or written: take the document away, apply, ` +
      'bring the disk back, and add the document again';
  if (device === 'gone') return absence;
  return (told === absence ? undefined : told) ?? rebootReason(device) ?? growth.reason;
}
