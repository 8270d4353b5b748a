import type { KeyEntry } from '@nodecore/config';

/** Whether two lists of keys ask for the same keyslots with the same keys. */
export function sameKeys(before: readonly KeyEntry[], after: readonly KeyEntry[]): boolean {
  return before.length === after.length && before.every((key, index) => isSame(key, after[index]));
}

function isSame(key: KeyEntry, other: KeyEntry | undefined): boolean {
  if (other === undefined || key.slot !== other.slot || key.lockToState !== other.lockToState) return false;
  if (key.kind === 'static') return other.kind === 'static' && key.passphrase.equals(other.passphrase);
  if (key.kind === 'kms') return other.kind === 'kms' && key.endpoint === other.endpoint;
  if (key.kind === 'tpm')
    return (
      other.kind === 'tpm' &&
      key.pcrs.join() === other.pcrs.join() &&
      key.checkSecurebootStatusOnEnroll === other.checkSecurebootStatusOnEnroll
    );
  return other.kind === 'nodeID';
}
