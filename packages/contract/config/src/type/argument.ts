import { list, map } from '../field/list.ts';
import { text } from '../field/text.ts';
import { type Type } from '../field/type.ts';

const one = text({ empty: true });
const several = list(one);

/** The value of a flag; a list gives the flag several times. */
const value: Type<readonly string[]> = {
  json: { anyOf: [one.json, several.json] },
  says: 'text or list of texts',
  read: (at) => {
    if (at.isList()) return several.read(at);
    if (at.scalar() === undefined) return at.wrongType('a text or a list of texts');
    const read = one.read(at);
    return read === undefined ? undefined : [read];
  },
};

const flag = text({
  longest: 128,
  pattern: {
    regex: /^[A-Za-z0-9][A-Za-z0-9.-]*$/u,
    code: 'argument.name',
    message: 'must be the name of a flag without the hyphens in front',
  },
});

/** Flags of a program by their names. A patch takes the place of each flag that it names. */
export const programArguments: Type<ReadonlyMap<string, readonly string[]>> = map(value, { names: flag });
