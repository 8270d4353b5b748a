import type { Secret } from '@nodecore/sys';

import { KeysError } from './errors.ts';
import type { KeyContext, KeySpecOf } from './key-spec.ts';
import { nodeId } from './node-id.ts';

export type DerivedSpec = KeySpecOf<'static'> | KeySpecOf<'nodeID'>;

/** The key of a kind that needs nobody's help: the same each time. */
export function derivedKey(spec: DerivedSpec, context: KeyContext): Secret {
  if (spec.kind === 'nodeID') return nodeId(spec.slot, context);
  if (spec.passphrase.sizeBytes > 0) return spec.passphrase.clone();
  throw new KeysError('ERR_KEYS_EMPTY', 'the passphrase is empty', spec);
}
