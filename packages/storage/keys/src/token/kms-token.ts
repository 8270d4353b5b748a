import type { TokenJson } from '@nodecore/luks';

import { KeysError } from '../errors.ts';
import { Fields } from './fields.ts';

/** What a key server sealed. */
export type KmsSealed = {
  readonly sealed: Uint8Array;
  /** The server that sealed it, to explain a refusal; unsealing asks the server of the configuration. */
  readonly endpoint?: string;
};

/** `nodecore-kms`, version 1. */
export function writeKmsToken({ sealed, endpoint }: KmsSealed): TokenJson {
  return {
    type: 'nodecore-kms',
    keyslots: [],
    version: 1,
    ...(endpoint === undefined ? {} : { endpoint }),
    sealed: Buffer.from(sealed).toString('base64'),
  };
}

/**
 * Reads version 1; the token's type is the caller's to check.
 *
 * @throws {KeysError} `ERR_KEYS_TOKEN_UNSUPPORTED` for another version, `ERR_KEYS_TOKEN_INVALID` for a damaged field.
 */
export function readKmsToken(json: unknown): KmsSealed {
  const fields = new Fields(json, 'nodecore-kms token');
  if (fields.get('version') !== 1) {
    throw new KeysError('ERR_KEYS_TOKEN_UNSUPPORTED', 'nodecore-kms token: this version is not supported');
  }
  return {
    sealed: fields.base64('sealed'),
    ...(fields.has('endpoint') ? { endpoint: fields.text('endpoint') } : {}),
  };
}

/** `sideroKMS`, which is never written here. */
export function readSideroKmsToken(json: unknown): KmsSealed {
  return { sealed: new Fields(json, 'sideroKMS token').object('UserData').base64('sealedData') };
}
