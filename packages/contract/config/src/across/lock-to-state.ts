import { descriptionOf } from '../kind/kinds.ts';
import { Place } from '../place.ts';
import { type Problems } from '../problems.ts';
import { type SourceDocument } from '../source.ts';

const lockedToNothing =
  'STATE is not encrypted by this configuration: the secret it keeps for this lies there in clear';
const notLocked =
  'whoever puts another STATE in the place of this one brings a configuration of their own, and the TPM gives this ' +
  'key to it: add lockToState';

/**
 * Warns of keys locked to a secret that anybody can read who has the disk, because STATE is not encrypted; and where it
 * is, of keys that the TPM gives to this system whatever configuration it runs.
 */
export function checkLocks(
  documents: readonly Pick<SourceDocument, 'kind' | 'identity' | 'map'>[],
  problems: Problems,
): void {
  const volumes = documents
    .filter(({ kind, identity }) => hasEncryption(kind) && identity !== stateIdentity)
    .map(({ map, identity }) => Place.root(map, identity, problems));
  const isEncrypted = documents.some(
    ({ map, identity }) =>
      identity === stateIdentity && Place.root(map, identity, problems).get('encryption') !== undefined,
  );
  for (const volume of volumes) {
    for (const entry of volume.get('encryption')?.get('keys')?.items() ?? []) {
      const lock = entry.get('lockToState');
      const isLocked = lock?.boolean() === true;
      if (isLocked && !isEncrypted) lock?.warning('key.lock_to_open_state', lockedToNothing);
      if (!isLocked && isEncrypted) entry.get('tpm')?.warning('key.tpm_not_locked', notLocked);
    }
  }
}

function hasEncryption(kind: string): boolean {
  return descriptionOf(kind)?.options.fields['encryption'] !== undefined;
}

const stateIdentity = 'VolumeConfig/STATE';
