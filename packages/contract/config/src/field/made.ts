import { type Place } from '../place.ts';
import { Mistake } from './mistake.ts';
import { type Type } from './type.ts';

/**
 * What another type reads, made into what its readers want, or what is wrong with it. `make` may warn at its place; without a value
 * the field reads as left out.
 */
export function made<T, U>(
  type: Type<T>,
  make: (value: T, at: Place) => U | Mistake | undefined,
): Type<Exclude<U, Mistake>> {
  const { says, secret, merge, fields, item } = type;
  return {
    says,
    get json() {
      return type.json;
    },
    read: (at) => {
      const value = type.read(at);
      const result = value === undefined ? undefined : make(value, at);
      if (!(result instanceof Mistake)) return result as Exclude<U, Mistake> | undefined;
      at.problem(result.code, result.message);
      return undefined;
    },
    ...(secret === undefined ? {} : { secret }),
    ...(merge === undefined ? {} : { merge }),
    ...(fields === undefined ? {} : { fields }),
    ...(item === undefined ? {} : { item }),
  };
}
