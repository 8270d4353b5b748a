import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';
import { calculateJwkThumbprint, type JWK } from 'jose';

import { FactoryError } from '../errors.ts';

/** The one algorithm that a key signs and verifies by: of its type, and never of what a token says. */
export type Algorithm = 'ES256' | 'EdDSA';

export type SigningKey = {
  /** RFC 7638, SHA-256. */
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly publicKey: KeyObject;
  /** Undefined for a key that only verifies. */
  readonly privateKey: KeyObject | undefined;
};

/** Keys of tokens in their order: the first one signs, all of them verify. */
export class SigningKeys {
  readonly signer: SigningKey & { readonly privateKey: KeyObject };
  readonly #byKid: ReadonlyMap<string, SigningKey>;

  private constructor(signer: SigningKeys['signer'], keys: readonly SigningKey[]) {
    this.signer = signer;
    this.#byKid = new Map(keys.map((key) => [key.kid, key]));
  }

  /**
   * Reads PEM files: a private key first, then private keys, public keys or certificates. Dates and issuers of certificates are not
   * looked at: they are there for their key.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the file.
   */
  static async load(paths: readonly string[]): Promise<SigningKeys> {
    const places = new Map<string, string>();
    const keys: SigningKey[] = [];
    for (const path of paths) {
      const key = await readKey(path);
      const other = places.get(key.kid);
      if (other !== undefined) throw setupError(`${path}: the same key as ${other}`);
      places.set(key.kid, path);
      keys.push(key);
    }
    const [first] = keys;
    if (first?.privateKey === undefined)
      throw setupError(`${paths[0] ?? 'no file'}: the first key signs, and must be a private one`);
    return new SigningKeys({ ...first, privateKey: first.privateKey }, keys);
  }

  /** One key that ends with the process, and all its tokens with it. */
  static async generate(): Promise<SigningKeys> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = await signingKey(privateKey, 'a new key');
    return new SigningKeys({ ...key, privateKey }, [key]);
  }

  find(kid: string | undefined): SigningKey | undefined {
    return kid === undefined ? undefined : this.#byKid.get(kid);
  }

  /** The public halves as a JSON Web Key Set (RFC 7517), in their order. */
  get jwks(): { readonly keys: readonly JWK[] } {
    const keys = Array.from(this.#byKid.values(), ({ kid, algorithm, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: algorithm,
      kid,
    }));
    return { keys };
  }
}

async function readKey(path: string): Promise<SigningKey> {
  const pem = await readFile(path).catch((error: unknown) => {
    throw setupError(`${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
  try {
    const key = parsePem(pem);
    if (key === undefined) throw setupError(`${path}: no key or certificate in PEM`);
    return await signingKey(key, path);
  } finally {
    pem.fill(0);
  }
}

/** Errors of the parser have no part in what is said: they could describe the bytes. */
function parsePem(pem: Buffer): KeyObject | undefined {
  for (const parse of [createPrivateKey, createPublicKey])
    try {
      return parse(pem);
    } catch {
      continue;
    }
  return undefined;
}

async function signingKey(key: KeyObject, path: string): Promise<SigningKey> {
  const isPrivate = key.type === 'private';
  const publicKey = isPrivate ? createPublicKey(key) : key;
  const algorithm = algorithmOf(publicKey);
  if (algorithm === undefined)
    throw setupError(`${path}: tokens are signed by keys of P-256 or Ed25519, and by no others`);
  const kid = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }), 'sha256');
  return { kid, algorithm, publicKey, privateKey: isPrivate ? key : undefined };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm | undefined {
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  const isP256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? 'ES256' : undefined;
}

function setupError(message: string): FactoryError {
  return new FactoryError('ERR_FACTORY_SETUP', message);
}
