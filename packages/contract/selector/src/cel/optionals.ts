import { Failure } from './failure.ts';
import { type Overload, overload } from './language.ts';
import { Optional, type Value } from './values.ts';

function of(value: Value | undefined): Optional {
  return value instanceof Optional ? value : new Optional(undefined);
}

/** Functions of values that are perhaps not there. */
export const optionalFunctions = (): readonly Overload[] => [
  overload('optional.of(dyn): optional', ([value]) => new Optional(value)),
  overload('optional.none(): optional', () => new Optional(undefined)),
  overload('optional<dyn>.hasValue(): bool', ([optional]) => of(optional).value !== undefined),
  overload('optional<dyn>.value(): dyn', ([optional]) => {
    const { value } = of(optional);
    if (value === undefined) throw new Failure('the value is not present');
    return value;
  }),
  ...['int', 'uint', 'double', 'string', 'bool'].map((type) =>
    overload(
      `optional<${type}>.orValue(${type}): ${type}`,
      ([optional, other = null]) => of(optional).value ?? other,
    ),
  ),
  overload('optional<dyn>.or(optional): optional', ([optional, other]) =>
    of(optional).value === undefined ? of(other) : of(optional),
  ),
];
