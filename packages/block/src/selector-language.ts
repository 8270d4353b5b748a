import { Environment, EvaluationError } from '@marcbachmann/cel-js';
import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';

import { glob } from './selector-glob.ts';
import { registerHas } from './selector-has.ts';
import { registerMatches } from './selector-matches.ts';

/** Sizes as the documents write them. The k of `kB` is small, as in SI. */
export const unitConstants: Readonly<Record<string, bigint>> = {
  KiB: 1n << 10n,
  MiB: 1n << 20n,
  GiB: 1n << 30n,
  TiB: 1n << 40n,
  PiB: 1n << 50n,
  EiB: 1n << 60n,
  kB: 10n ** 3n,
  MB: 10n ** 6n,
  GB: 10n ** 9n,
  TB: 10n ** 12n,
  PB: 10n ** 15n,
  EB: 10n ** 18n,
};

/**
 * CEL with its standard library, the unit constants and `glob`, before any variable is declared.
 *
 * @param options.optionals variables may be of type `optional<uint>`: what is perhaps not known has `hasValue()` and
 *   `orValue(…)`.
 */
export function selectorLanguage(options: { readonly optionals?: boolean } = {}): Environment {
  const environment = new Environment({ enableOptionalTypes: options.optionals ?? false });
  for (const [name, value] of Object.entries(unitConstants)) {
    environment.registerConstant(name, 'uint', new UnsignedInt(value));
  }
  environment.registerFunction('glob(string, string): bool', glob);
  environment.registerFunction('int(uint): int', (value: UnsignedInt) => toInt(value.value));
  registerMatches(environment);
  registerHas(environment);
  registerMixedNumbers(environment);
  return environment;
}

function toInt(value: bigint): bigint {
  if (value >= 1n << 63n) throw new EvaluationError('integer overflow');
  return value;
}

type Arithmetic = (left: bigint, right: bigint) => bigint;

const arithmetic: Readonly<Record<string, Arithmetic>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / divisor(right),
  '%': (left, right) => left % divisor(right),
};

function divisor(value: bigint): bigint {
  if (value === 0n) throw new EvaluationError('division by zero');
  return value;
}

/**
 * Standard CEL lets `uint` meet `int` in `<` but not in `==` or `*`, so that `disk.size > 120 * GB` would be an error
 * about a missing `u`. Here both are numbers: the result is exact, unsigned, and an error when it does not fit.
 */
function registerMixedNumbers(environment: Environment): void {
  environment.registerOperator('uint == int', (left: UnsignedInt, right: bigint) => left.value === right);
  environment.registerOperator('uint in list<int>', (left: UnsignedInt, right: readonly bigint[]) =>
    right.includes(left.value),
  );
  environment.registerOperator('int in list<uint>', (left: bigint, right: readonly UnsignedInt[]) =>
    right.some((element) => element.value === left),
  );
  for (const [operator, compute] of Object.entries(arithmetic)) {
    environment.registerOperator(
      `uint ${operator} int: uint`,
      (left: UnsignedInt, right: bigint) => new UnsignedInt(compute(left.value, right)),
    );
    environment.registerOperator(
      `int ${operator} uint: uint`,
      (left: bigint, right: UnsignedInt) => new UnsignedInt(compute(left, right.value)),
    );
  }
}
