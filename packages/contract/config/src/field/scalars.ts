import { type Type } from './type.ts';

/** `true` or `false`. */
export const boolean: Type<boolean> = {
  json: { type: 'boolean' },
  says: 'true or false',
  read: (at) => at.boolean() ?? at.wrongType('true or false'),
};

/** A whole number, both ends included. */
export function integer(least: number, most: number): Type<number> {
  return {
    json: { type: 'integer', minimum: least, maximum: most },
    says: `${least}–${most}`,
    read: (at) => {
      const value = at.integer();
      if (value === undefined) return at.wrongType('a whole number');
      if (value >= least && value <= most) return value;
      at.problem('number.range', `must be ${least} to ${most}`);
      return undefined;
    },
  };
}

/** One of these words. */
export function choice<const Word extends string>(...words: readonly Word[]): Type<Word> {
  return {
    json: { enum: words },
    says: words.join(', '),
    read: (at) => {
      const value = at.scalar()?.value;
      const found = words.find((word) => word === value);
      if (found !== undefined) return found;
      if (at.isEmpty()) return at.wrongType('a text');
      at.problem('invalid_value', `must be ${words.join(' or ')}`);
      return undefined;
    },
  };
}
