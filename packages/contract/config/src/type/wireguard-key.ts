import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** A key of Curve25519: 32 bytes in base64. */
export const wireguardKey: Type<string> = parsed('a WireGuard key', {
  json: { pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$' },
  parse: (text) =>
    /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/u.test(text)
      ? text
      : new Mistake('wireguard.key', 'must be 32 bytes in base64, as wg genkey prints them'),
});
