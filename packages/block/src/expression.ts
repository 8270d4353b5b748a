/**
 * The language of selectors for other documents: the same CEL, units, `glob` and messages, over variables of their own.
 * Pure: loads no native code.
 */
import { Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';

export { SelectorError, type SelectorErrorCode } from './selector-error.ts';
export { compileProgram, type Language, type Program, type Wanted } from './selector-expression.ts';
export { selectorLanguage } from './selector-language.ts';

/** CEL's type of a duration. */
export const durationType = 'google.protobuf.Duration';

/** Values as CEL takes them. */
export const celValue: {
  /** Whole numbers from 0 on. */
  readonly uint: (value: bigint | number) => unknown;
  readonly duration: (nanoseconds: bigint) => unknown;
  /** Undefined is an optional without a value. */
  readonly optional: (value: unknown) => unknown;
} = {
  uint: (value) => new UnsignedInt(value),
  duration: (nanoseconds) => new Duration(nanoseconds / 1_000_000_000n, Number(nanoseconds % 1_000_000_000n)),
  optional: (value) => (value === undefined ? Optional.none() : Optional.of(value)),
};
