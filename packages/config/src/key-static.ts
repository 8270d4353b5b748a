import { type Secret } from '@nodecore/sys';

import { type Cursor } from './cursor.ts';
import { type EncryptionContext } from './encryption-context.ts';

export type StaticSource = { readonly kind: 'static'; readonly passphrase: Secret };

/** Reads `static`. STATE takes none: its settings must be readable before STATE is open. */
export function readStatic(source: Cursor, { vault, state }: EncryptionContext): StaticSource | undefined {
  if (state) {
    const message =
      'STATE takes no static key: its passphrase would have to be stored beside it in clear; use nodeID, tpm or kms';
    source.problem('key.static_on_state', message);
  }
  const field = source.get('passphrase');
  const text = field?.text();
  if (field === undefined || text === undefined) return undefined;
  if (text === '') field.problem('key.passphrase_empty', 'the passphrase is empty');
  return { kind: 'static', passphrase: vault.keep(text) };
}
