import { anyText, textLike } from '../field/shape.ts';
import { type Type } from '../field/type.ts';

/**
 * A name of ASCII letters, digits and hyphens.
 *
 * @param longest the name of a volume becomes a GPT label of at most 36 UTF-16 code units, of which two are the prefix (`u-`). Other
 *   documents keep to the same length.
 */
export function shortName(longest: number = 34): Type<string> {
  return Object.assign(textLike(`^[A-Za-z0-9-]{1,${longest}}$`), {
    read: (at: Parameters<Type<string>['read']>[0]) => {
      const name = anyText.read(at);
      if (name === undefined) return undefined;
      const before = at.reading.problems.count;
      if (name === '') at.problem('name.required', 'a name is required');
      else if (name.length > longest) at.problem('name.length', `a name has at most ${longest} characters`);
      if (!/^[A-Za-z0-9-]*$/u.test(name))
        at.problem('name.characters', 'a name consists of ASCII letters, digits and hyphens');
      return at.reading.problems.count === before ? name : undefined;
    },
  });
}
