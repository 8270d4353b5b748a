import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** Ports, both ends included. */
export type PortRange = { readonly first: number; readonly last: number };

/** A port or a range of ports: `443`, `"8000-8100"`. */
export const portRange: Type<PortRange> = parsed('a port or a range of ports', {
  literal: true,
  json: { pattern: '^[0-9]{1,5}(-[0-9]{1,5})?$' },
  parse: (text) => {
    const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/u.exec(text) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (first < 1 || first > 65_535 || last > 65_535)
      return new Mistake('port.invalid', 'must be a port or a range of ports from 1 to 65535: 8000-8100');
    return first <= last ? { first, last } : new Mistake('port.order', 'begins behind its end');
  },
});
