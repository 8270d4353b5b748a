import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

const invalid = new Mistake(
  'link_name.invalid',
  'must be the name of a network interface: at most 15 characters, no blank, slash or colon',
);

/** The name or the alias of a network interface, as the kernel takes it. */
export const linkName: Type<string> = parsed('the name of an interface', {
  json: { pattern: '^[!-.0-9;-~]{1,15}$' },
  parse: (text) => (/^[!-.0-9;-~]{1,15}$/u.test(text) && !/^\.\.?$/u.test(text) ? text : invalid),
});

/** The name of an interface that a document makes: `lo` is there already. */
export const newLinkName: Type<string> = parsed('the name of an interface', {
  json: linkName.json,
  parse: (text) => {
    if (text === 'lo') return new Mistake('link_name.taken', 'lo is there already: LinkConfig configures it');
    if (text === 'all' || text === 'default')
      return new Mistake('link_name.taken', 'is what the kernel calls the settings of all interfaces');
    return /^[!-.0-9;-~]{1,15}$/u.test(text) && !/^\.\.?$/u.test(text) ? text : invalid;
  },
});
