import type { Secret } from '@nodecore/sys';

import { KeyError } from './errors.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import { nodeId } from './node-id.ts';

export type ObtainOptions = { readonly signal?: AbortSignal };

/**
 * The bytes that open, or shall open, a keyslot. The secret belongs to the caller, who disposes it.
 *
 * @throws {KeyError} with the slot, the kind, and whether waiting helps.
 */
export async function obtain(
  spec: KeySpec,
  context: KeyContext,
  options: ObtainOptions = {},
): Promise<Secret> {
  options.signal?.throwIfAborted();
  if (spec.kind === 'nodeID') return nodeId(spec.slot, context);
  if (spec.passphrase.sizeBytes === 0) {
    throw new KeyError('ERR_KEY_EMPTY', spec.slot, spec.kind, 'the passphrase is empty');
  }
  return spec.passphrase.clone();
}
