import type { TokenJson } from '@nodecore/luks';
import { measuredFromJson, measuredToJson, type SealedObject } from '@nodecore/tpm';

import { KeysError } from '../errors.ts';
import { Fields } from './fields.ts';

/**
 * `systemd-tpm2`: the format of systemd, whose programs open what we seal. `nodecore-tpm2`: the same fields for a key
 * that is locked to STATE; what they unseal is then not yet the key, so systemd must not take it for one of its own.
 */
export type Tpm2TokenType = 'systemd-tpm2' | 'nodecore-tpm2';

/** Features of later systemd versions that change what must be done to unseal; the rest of a token may be ignored. */
const unsupported: Readonly<Record<string, string>> = {
  tpm2_pcrlock: 'a systemd-pcrlock policy',
  tpm2_pcrlock_nv: 'a systemd-pcrlock policy',
  'tpm2-shards': 'a policy in shards',
};

const banks = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

/** Its own fields are systemd's (src/shared/tpm2-util.c, tpm2_make_luks2_json), ours begin with `nodecore-`. */
export function writeTpm2Token(type: Tpm2TokenType, sealed: SealedObject): TokenJson {
  const { publicKey, salt, srk, keyName, measured } = sealed;
  return {
    type,
    keyslots: [],
    'tpm2-blob': base64(sealed.blob),
    'tpm2-pcrs': [...sealed.pcrs],
    'tpm2-pcr-bank': sealed.bank,
    'tpm2-primary-alg': sealed.primaryAlg,
    'tpm2-policy-hash': Buffer.from(sealed.policyHash).toString('hex'),
    'tpm2-pin': sealed.pin,
    ...(publicKey === undefined
      ? {}
      : { tpm2_pubkey_pcrs: [...sealed.publicKeyPcrs], tpm2_pubkey: base64(publicKey) }),
    ...(salt === undefined ? {} : { tpm2_salt: base64(salt) }),
    ...(srk === undefined ? {} : { tpm2_srk: base64(srk) }),
    ...(keyName === undefined ? {} : { 'nodecore-key-name': base64(keyName) }),
    ...(measured === undefined ? {} : { 'nodecore-measured': measuredToJson(measured) }),
  };
}

/**
 * Reads a token of systemd 248 to 257, or one of ours.
 *
 * @throws {KeysError} `ERR_KEYS_TOKEN_UNSUPPORTED` naming a feature of a later systemd, `ERR_KEYS_TOKEN_INVALID`.
 */
export function readTpm2Token(json: unknown): SealedObject {
  const fields = new Fields(json, 'TPM token');
  const found = unsupportedFeature(json);
  if (found !== undefined) throw refuse(found.feature, found.field);
  const publicKey = fields.has('tpm2_pubkey') ? fields.base64('tpm2_pubkey') : undefined;
  return {
    blob: fields.base64('tpm2-blob'),
    pcrs: fields.integers('tpm2-pcrs', 24),
    // Tokens of systemd 248 and 249 have neither bank nor algorithm: there was no choice then.
    bank: fields.has('tpm2-pcr-bank') ? fields.choice('tpm2-pcr-bank', banks) : 'sha256',
    primaryAlg: fields.has('tpm2-primary-alg') ? fields.choice('tpm2-primary-alg', ['ecc', 'rsa']) : 'ecc',
    policyHash: fields.hex('tpm2-policy-hash'),
    pin: fields.has('tpm2-pin') && fields.boolean('tpm2-pin'),
    publicKeyPcrs: publicKey === undefined ? [] : publicKeyPcrs(fields),
    ...(publicKey === undefined ? {} : { publicKey }),
    ...(fields.has('tpm2_salt') ? { salt: fields.base64('tpm2_salt') } : {}),
    ...(fields.has('tpm2_srk') ? { srk: fields.base64('tpm2_srk') } : {}),
    ...(fields.has('nodecore-key-name') ? { keyName: fields.base64('nodecore-key-name') } : {}),
    ...measured(fields),
  };
}

/** A feature of a later systemd that a token uses, and the field that says so. */
export function unsupportedFeature(
  json: unknown,
): { readonly feature: string; readonly field: string } | undefined {
  const fields = new Fields(json, 'TPM token');
  for (const [field, feature] of Object.entries(unsupported)) {
    if (fields.has(field) && fields.get(field) !== false) return { feature, field };
  }
  // systemd 257 writes lists here when a policy is sharded.
  const field = ['tpm2-blob', 'tpm2-policy-hash'].find((name) => Array.isArray(fields.get(name)));
  return field === undefined ? undefined : { feature: 'a policy in shards', field };
}

function publicKeyPcrs(fields: Fields): readonly number[] {
  return fields.has('tpm2_pubkey_pcrs') ? fields.integers('tpm2_pubkey_pcrs', 24) : [];
}

/** It only explains a mismatch: what is not readable is as good as absent. */
function measured(fields: Fields): Pick<SealedObject, 'measured'> {
  const value = measuredFromJson(fields.get('nodecore-measured'));
  return value === undefined ? {} : { measured: value };
}

function refuse(feature: string, field: string): KeysError {
  return new KeysError('ERR_KEYS_TOKEN_UNSUPPORTED', `TPM token: ${feature} (${field}) is not supported`);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
