import { parseAddress, parsePrefix, type Address, type Prefix } from '@nodecore/sys/pure';

import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** An IPv4 or IPv6 address without a zone. */
export const address: Type<Address> = parsed('an IP address', {
  json: { pattern: '^[0-9A-Fa-f:.]+$' },
  parse: (text) => parseAddress(text) ?? new Mistake('address.invalid', 'must be an IP address'),
});

/** An address with the size of its network. */
export const prefix: Type<Prefix> = parsed('an address with its prefix', {
  json: { pattern: '^[0-9A-Fa-f:.]+/[0-9]{1,3}$' },
  parse: (text) =>
    parsePrefix(text) ?? new Mistake('prefix.invalid', 'must be an address and its prefix: 10.0.0.0/8'),
});
