import type { Configuration } from '@nodecore/config';
import type { Secret } from '@nodecore/sys';

/** A persisted text, as bytes that can be wiped, with the number that it was given. */
export type Persisted = { readonly text: Secret; readonly version: number };

/** What is persisted in place of `before`, whose text is wiped. */
export function remembered(
  configuration: Configuration,
  version: number,
  before: Persisted | undefined,
): Persisted {
  before?.text[Symbol.dispose]();
  return { text: configuration.source.clone(), version };
}
