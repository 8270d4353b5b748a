/**
 * The language of selectors for other documents: the same CEL, units, `glob` and messages, over variables of their own.
 * Pure: loads no native code.
 */
import { CelMap } from './cel/map.ts';
import { Uint } from './cel/uint.ts';
import { Duration, Optional, type Value } from './cel/values.ts';

export { type Language, overload } from './cel/language.ts';
export type { Value } from './cel/values.ts';
export { SelectorError, type SelectorErrorCode } from './errors.ts';
export { compileProgram, type Program, type Wanted } from './program.ts';
export { selectorLanguage } from './selector-language.ts';

/** Values as CEL takes them. */
export const celValue: {
  /** Whole numbers from 0 on. */
  readonly uint: (value: bigint | number) => Value;
  readonly duration: (nanoseconds: bigint) => Value;
  readonly map: (entries: Iterable<readonly [Value, Value]>) => CelMap<Value>;
  /** Undefined is an optional without a value. */
  readonly optional: (value: Value | undefined) => Value;
} = {
  uint: (value) => new Uint(value),
  duration: (nanoseconds) => new Duration(nanoseconds),
  map: (entries) => new CelMap(entries),
  optional: (value) => new Optional(value),
};

export { CelMap };
