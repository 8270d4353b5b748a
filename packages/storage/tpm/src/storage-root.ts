import { createHash } from 'node:crypto';

import { TpmError } from './errors.ts';
import { Fields } from './fields.ts';

/** First byte of the handles of keys that stay in a TPM (TPM 2.0 Part 2, 7.2). */
const persistent = 0x81;
const sha256 = 0x000b;

/** In what libtss2-esys serializes: a key. */
const keyResource = 1;

/**
 * Checks a persistent storage root key as libtss2-esys serializes it (systemd's `tpm2_srk`): handle, name, kind, public area. The
 * library takes anything for one.
 *
 * @throws {TpmError} `ERR_TPM_BLOB_INVALID` when it is something else, or the name is not that of the public area.
 */
export function checkStorageRoot(bytes: Uint8Array): void {
  const fields = new Fields(bytes, invalid);
  if (fields.number(4) >>> 24 !== persistent) throw invalid('its handle is not of a key that stays in a TPM');
  const name = fields.sized();
  if (fields.number(4) !== keyResource) throw invalid('it is no key');
  const area = fields.sized();
  if (fields.left > 0) throw invalid(`${fields.left} bytes follow its public area`);
  const digest = createHash('sha256').update(area).digest();
  const expected = Buffer.concat([Buffer.from([sha256 >> 8, sha256 & 0xff]), digest]);
  if (Buffer.compare(name, expected) !== 0) throw invalid('its name is that of another key');
}

function invalid(why: string): TpmError {
  return new TpmError(
    'ERR_TPM_BLOB_INVALID',
    `the storage root key beside the sealed blob is damaged: ${why}`,
  );
}
