import { SelectorError } from '@nodecore/selector';

import { type Place } from './place.ts';

/** A compiled expression; a mistake in it is reported under `code`, at the character where it breaks. */
export function compiled<T>(field: Place, code: string, compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    field.problem(code, error.reason, field.ahead(error));
    return undefined;
  }
}
