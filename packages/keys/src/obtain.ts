import type { Secret } from '@nodecore/sys';

import type { KeyContext, KeySpec } from './key-spec.ts';
import { recover } from './recover.ts';

export type ObtainOptions = { readonly signal?: AbortSignal };

/**
 * The bytes that open, or shall open, a keyslot of a kind that needs no token. The secret belongs to the caller.
 *
 * @throws {KeysError} with the slot, the kind, and whether waiting helps.
 */
export async function obtain(
  spec: KeySpec,
  context: KeyContext,
  options: ObtainOptions = {},
): Promise<Secret> {
  return await recover(spec, context, [], options);
}
