import { type Place } from '../place.ts';
import { type Type } from './type.ts';

/** A type with rules over several of its fields, which speak also where one of these is wrong by itself. */
export function ruled<T>(type: Type<T>, ...rules: readonly ((at: Place) => void)[]): Type<T> {
  const { says, secret, merge, fields, item } = type;
  return {
    says,
    get json() {
      return type.json;
    },
    read: (at) => {
      const { problems } = at.reading;
      const before = problems.count;
      const value = type.read(at);
      for (const rule of rules) rule(at);
      return problems.count === before ? value : undefined;
    },
    ...(secret === undefined ? {} : { secret }),
    ...(merge === undefined ? {} : { merge }),
    ...(fields === undefined ? {} : { fields }),
    ...(item === undefined ? {} : { item }),
  };
}
