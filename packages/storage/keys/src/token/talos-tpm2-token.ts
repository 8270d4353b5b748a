import type { SealedObject } from '@nodecore/tpm';

import { KeysError } from '../errors.ts';
import { Fields } from './fields.ts';

/**
 * Reads `talos-tpm2`, which is never written here. The public key is not in it: it is the boot image's.
 *
 * Tokens without a version are of two kinds: those whose list of registers is [11] alone are bound to PCR 7, the others
 * to no literal value.
 */
export function readTalosTpm2Token(json: unknown, publicKey: Uint8Array | undefined): SealedObject {
  const fields = new Fields(json, 'talos-tpm2 token').object('UserData');
  const pcrs = fields.has('pcrs') ? fields.integers('pcrs', 24) : [];
  const signedPcrs = fields.has('pubkey_pcrs') ? fields.integers('pubkey_pcrs', 24) : [];
  const isFirst = !fields.has('encryption_version');
  if (!isFirst && fields.text('encryption_version') !== '1') {
    const version = fields.text('encryption_version').slice(0, 16);
    throw new KeysError(
      'ERR_KEYS_TOKEN_UNSUPPORTED',
      `talos-tpm2 token: version ${version} is not supported`,
    );
  }
  if (fields.has('alg') && fields.text('alg') !== 'sha256') throw fields.invalid('alg', 'is not sha256');
  if (publicKey === undefined) {
    throw new KeysError(
      'ERR_KEYS_TOKEN_UNSUPPORTED',
      'talos-tpm2 token: needs the signing key of the boot image',
    );
  }
  const wasBootOnly = signedPcrs.length === 0 && pcrs.length === 1 && pcrs[0] === 11;
  return {
    blob: Buffer.concat([sized(fields, 'sealed_blob_private'), sized(fields, 'sealed_blob_public')]),
    pcrs: isFirst ? (wasBootOnly ? [7] : []) : pcrs,
    bank: 'sha256',
    primaryAlg: 'ecc',
    policyHash: fields.base64('policy_hash'),
    pin: false,
    publicKey,
    publicKeyPcrs: signedPcrs.length === 0 ? [11] : signedPcrs,
    ...(fields.has('key_name') ? { keyName: sized(fields, 'key_name').subarray(2) } : {}),
  };
}

/** A TPM2B structure: two bytes of size, big-endian, and as many bytes. */
function sized(fields: Fields, name: string): Buffer {
  const bytes = fields.base64(name);
  if (bytes.length < 3 || bytes.readUInt16BE(0) !== bytes.length - 2) {
    throw fields.invalid(name, 'is not a structure with its size before it');
  }
  return bytes;
}
