import { createHash } from 'node:crypto';

import type { Token, TokenJson } from '@nodecore/luks';

import { unsupportedFeature } from './tpm2-token.ts';

/**
 * What a token asks for that no key of ours does, in words; undefined when there is nothing of the kind. A new key in its
 * place would open without it.
 */
export function guardOf(json: TokenJson): string | undefined {
  if (json.type !== 'systemd-tpm2' && json.type !== 'nodecore-tpm2') return undefined;
  // Anything but a plain no counts: a token that is damaged may still guard its keyslot.
  if (Object.hasOwn(json, 'tpm2-pin') && json['tpm2-pin'] !== false) return 'a PIN';
  return unsupportedFeature(json)?.feature;
}

/** Tells one token from another that has taken its number. Keyslots come and go without making it another. */
export function fingerprintOf({ json }: Token): string {
  const fields = Object.entries({ ...json, keyslots: [] }).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 32);
}
