import { KeysError } from './errors.ts';
import type { KeySpec } from './key-spec.ts';
import { slots as limit } from './token/fields.ts';

export type Refused = { readonly spec: KeySpec; readonly error: KeysError };

/** Specs in slot order. */
export function inSlotOrder(specs: readonly KeySpec[]): readonly KeySpec[] {
  return specs.toSorted((a, b) => a.slot - b.slot);
}

/**
 * The specs that can be stored, and those that can't: where two name one slot, neither is taken for the right one, and
 * the slot stays as it is.
 */
export function ambiguities(specs: readonly KeySpec[]): {
  readonly clear: readonly KeySpec[];
  readonly refused: readonly Refused[];
} {
  const clear: KeySpec[] = [];
  const refused: Refused[] = [];
  for (const spec of inSlotOrder(specs)) {
    const error = problemOf(spec, specs);
    if (error === undefined) clear.push(spec);
    else refused.push({ spec, error });
  }
  return { clear, refused };
}

function problemOf(spec: KeySpec, specs: readonly KeySpec[]): KeysError | undefined {
  const { slot } = spec;
  if (!(Number.isInteger(slot) && slot >= 0 && slot < limit)) {
    return new KeysError('ERR_KEYS_SLOT_RANGE', `a slot is between 0 and ${limit - 1}`, spec);
  }
  const others = specs.filter((other) => other !== spec && other.slot === slot);
  if (others.length === 0) return undefined;
  const kinds = others.map(({ kind }) => kind).join(' and ');
  return new KeysError('ERR_KEYS_SLOT_CLASH', `a ${kinds} key is configured for the same slot`, spec);
}
