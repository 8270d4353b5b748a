import { type Secret } from '@nodecore/sys/pure';

import { type Place } from './place.ts';
import { type EncryptionContext } from './encryption-context.ts';

export type StaticSource = {
  readonly kind: 'static';
  readonly passphrase: Secret;
  /** Of STATE: the author consents that it lies beside STATE in clear. */
  readonly inClear?: true;
};

/** Reads `static`. STATE takes none without consent: its settings must be readable before STATE is open. */
export function readStatic(
  source: Place,
  { vault, state, allowStaticState = false }: EncryptionContext,
): StaticSource | undefined {
  if (state && allowStaticState)
    source.warning(
      'key.static_on_state',
      'the passphrase of STATE lies beside it in clear: who has the disk opens STATE',
    );
  if (state && !allowStaticState) {
    const message =
      'STATE takes no static key: its passphrase would have to be stored beside it in clear; use nodeID, tpm or kms, or ' +
      'consent to that with allowStaticState: true';
    source.problem('key.static_on_state', message);
  }
  const field = source.get('passphrase');
  const text = field?.text();
  if (field === undefined || text === undefined) return undefined;
  if (text === '') field.problem('key.passphrase_empty', 'the passphrase is empty');
  return {
    kind: 'static',
    passphrase: vault.keep(text),
    ...(state && allowStaticState && { inClear: true }),
  };
}
