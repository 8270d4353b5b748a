import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { parsed } from '../../field/parsed.ts';
import { required, type Type } from '../../field/type.ts';
import { linkSelector } from '../../type/selector.ts';

const aliasName: Type<string> = parsed('a name', {
  json: { pattern: '^[!-$&-.0-9;-~]{1,15}(%d)?$' },
  parse: (text) => {
    const stem = text.endsWith('%d') ? text.slice(0, -2) : text;
    if (stem.includes('%'))
      return new Mistake('link_alias.pattern', 'takes one %, as a final %d, which becomes a number');
    return /^[!-.0-9;-~]{1,15}$/u.test(stem) && !/^\.\.?$/u.test(stem)
      ? text
      : new Mistake('link_alias.name', 'must be at most 15 characters, without blank, slash and colon');
  },
});

/** `LinkAliasConfig`: a name that other documents call an interface by, whatever the kernel calls it. */
export const linkAlias = document('LinkAliasConfig', 'a name of our own for interfaces that match', () => ({
  takesEffect: 'live',
  awaits: 'network',
  fields: {
    name: required(
      'the alias; with a final %d one for each interface that matches, numbered from 0',
      aliasName,
    ),
    selector: required(
      'which interface it is',
      object({ match: required('an expression over link that is true for it', linkSelector) }),
    ),
  },
  example: 'name: net%d\nselector:\n  match: link.driver == "virtio_net"\n',
}));
