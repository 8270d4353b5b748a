import { isNetwork, parsePrefix, type Prefix } from '@nodecore/sys/pure';

import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** A network: an address and its prefix, no bit behind it. */
export const network: Type<Prefix> = parsed('a network', {
  json: { pattern: '^[0-9A-Fa-f:.]+/[0-9]{1,3}$' },
  parse: (text) => {
    const found = parsePrefix(text);
    if (found === undefined) return new Mistake('prefix.invalid', 'must be a network: 10.0.0.0/8');
    return isNetwork(found)
      ? found
      : new Mistake('prefix.host_bits', 'has bits behind its prefix: 10.0.0.0/8, not 10.0.0.1/8');
  },
});
