import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** The hardware address of an interface: six bytes, in lower case with colons, of one card rather than a group. */
export const mac: Type<string> = parsed('a hardware address', {
  json: { pattern: '^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$' },
  parse: (text) => {
    if (!/^[0-9a-f]{2}(?:(?::[0-9a-f]{2}){5}|(?:-[0-9a-f]{2}){5})$/iu.test(text))
      return new Mistake('mac.invalid', 'must be six bytes, such as 02:00:00:00:00:01');
    if ((Number.parseInt(text.slice(0, 2), 16) & 1) === 1)
      return new Mistake('mac.multicast', 'is the address of a group, not of one interface');
    if (/^[0:-]*$/u.test(text)) return new Mistake('mac.invalid', 'must not be all zeros');
    return text.toLowerCase().replaceAll('-', ':');
  },
});
