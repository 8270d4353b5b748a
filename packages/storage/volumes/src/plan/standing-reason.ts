import type { Facts, Found, Growth } from '../facts/facts.ts';
import { rebootReason } from './spec-change.ts';

type Standing = {
  readonly device: Facts['device'];
  readonly found: Found | undefined;
  readonly growth: Growth;
};

/**
 * The reason shown in a volume's status while nothing happens.
 *
 * @param told the reason shown until now. It stays, unless it names a missing disk that is back.
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
