import { TpmError } from './errors.ts';
import { Fields } from './fields.ts';

/** What a sealed blob says about itself. The TPM checks that it is true when it loads the object. */
export type Blob = {
  /** TPMA_OBJECT. */
  readonly attributes: number;
  /** Digest of the policy that the object demands. */
  readonly policyHash: Uint8Array;
};

const keyedHash = 0x0008;
const sha256 = 0x000b;
const noScheme = 0x0010;

/** A TPM2B_PRIVATE is at most two digests and an encrypted sensitive area with 512 bytes in it. */
const largest = 2048;

/**
 * Reads a sealed object: TPM2B_PRIVATE ‖ TPM2B_PUBLIC of a data object under SHA-256, nothing more, nothing less.
 *
 * @throws {TpmError} `ERR_TPM_BLOB_INVALID`
 */
export function parseBlob(bytes: Uint8Array): Blob {
  if (bytes.length > largest) throw invalid(`it has ${bytes.length} bytes`);
  const outer = new Fields(bytes, invalid);
  if (outer.sized().length === 0) throw invalid('its private area is empty');
  const area = new Fields(outer.sized(), invalid);
  if (outer.left > 0) throw invalid(`${outer.left} bytes follow its public area`);
  if (area.number(2) !== keyedHash) throw invalid('it is no data object');
  if (area.number(2) !== sha256) throw invalid('its name is not by SHA-256');
  const attributes = area.number(4);
  const policyHash = area.sized();
  if (policyHash.length !== 32) throw invalid('it has no policy');
  if (area.number(2) !== noScheme) throw invalid('it has a scheme');
  if (area.sized().length !== 32 || area.left > 0) throw invalid('its public area has a wrong size');
  return { attributes, policyHash };
}

function invalid(why: string): TpmError {
  return new TpmError('ERR_TPM_BLOB_INVALID', `the sealed blob is damaged or not of this kind: ${why}`);
}
