import { Secret } from '@nodecore/sys';
import type { Key, PrivateKey } from 'openpgp';

import { armor, dearmor } from './armor.ts';
import { Authv1Error } from './errors.ts';
import { openpgp } from './library.ts';
import { maxSkewMs } from './skew.ts';

/** A private key that signs calls. */
export type SigningKey = {
  /** Fingerprint, hexadecimal in lower case. */
  readonly keyId: string;
  /** Milliseconds since the epoch; Infinity: never. */
  readonly expiresMs: number;
  /** Armored public half. */
  readonly publicKey: string;
  /** A detached signature, as OpenPGP has it in bytes. */
  readonly sign: (data: Uint8Array, nowMs: number) => Promise<Uint8Array>;
};

/** A public key that calls are verified with. */
export type VerifyingKey = {
  /** Fingerprint, hexadecimal in lower case. */
  readonly keyId: string;
  /** User id of the key, `name <address>`. */
  readonly userId: string;
  readonly createdMs: number;
  /** Milliseconds since the epoch; Infinity: never. */
  readonly expiresMs: number;
  /** Armored, with nothing but what the key is made of. */
  readonly armored: string;
  /** Whether the key made this signature, and was valid then. */
  readonly verifies: (data: Uint8Array, signature: Uint8Array, nowMs: number) => Promise<boolean>;
};

/** What a new key is for. */
export type KeyRequest = {
  /** User id: `client version (os/arch)`. */
  readonly name: string;
  /** E-mail address of the user or service account. */
  readonly email: string;
  readonly lifetimeMs: number;
  readonly nowMs?: number;
};

const maxPublicKey = 64 * 1024;

/**
 * A new Ed25519 key, in the form that GnuPG 2.2 reads, too. The caller disposes the secret: armored, as it goes to a file.
 */
export async function generateSigningKey(
  request: KeyRequest,
): Promise<{ readonly secret: Secret; readonly publicKey: string }> {
  const { name, email, lifetimeMs, nowMs = Date.now() } = request;
  const library = await openpgp();
  const { privateKey } = await library.generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    userIDs: [{ name, email }],
    // A minute before now: GnuPG takes no key of the future, and clocks differ.
    date: new Date(nowMs - 60_000),
    keyExpirationTime: Math.ceil((lifetimeMs + 60_000) / 1000),
    subkeys: [],
    format: 'object',
  });
  using bytes = Secret.take(privateKey.write());
  return { secret: armor(bytes), publicKey: privateKey.toPublic().armor() };
}

/**
 * Reads a private key, armored or not. The secret stays its owner's; the library has a copy as long as the key is used.
 *
 * @throws {Authv1Error} `ERR_AUTHV1_KEY` for a public key, for one with a passphrase, for no key at all.
 */
export async function readSigningKey(secret: Secret): Promise<SigningKey> {
  const library = await openpgp();
  using bytes = dearmor(secret);
  let key: PrivateKey;
  try {
    // The library keeps views of what it reads, so it gets bytes of its own, which live as long as the key.
    key = await library.readPrivateKey({ binaryKey: new Uint8Array(bytes.bytes) });
  } catch {
    throw refusal('not an OpenPGP private key'); // no cause: it could describe the bytes
  }
  if (!key.isDecrypted()) throw refusal('the private key has a passphrase');
  return {
    keyId: key.getFingerprint(),
    expiresMs: await expiryOf(key),
    publicKey: key.toPublic().armor(),
    sign: async (data, nowMs) => {
      const message = await library.createMessage({ binary: data });
      const date = new Date(nowMs);
      return await library.sign({ message, signingKeys: key, detached: true, format: 'binary', date });
    },
  };
}

/**
 * Reads one armored public key.
 *
 * @throws {Authv1Error} `ERR_AUTHV1_KEY` for a private key, for several, for one without a user id, for no key at all.
 */
export async function readVerifyingKey(armored: string): Promise<VerifyingKey> {
  const library = await openpgp();
  if (armored.length > maxPublicKey) throw refusal('the public key is too large');
  let keys: Key[];
  try {
    keys = await library.readKeys({ armoredKeys: armored });
  } catch {
    throw refusal('not an OpenPGP public key');
  }
  const [key] = keys;
  if (key === undefined || keys.length > 1) throw refusal('one public key is needed');
  if (key.isPrivate()) throw refusal('this is a private key: send the public one, and make a new key');
  const [userId] = key.getUserIDs();
  if (userId === undefined) throw refusal('the public key has no user id');
  const expiresMs = await expiryOf(key).catch(() => {
    throw refusal('the public key is revoked, or not signed by itself');
  });
  const createdMs = key.getCreationTime().getTime();
  return {
    keyId: key.getFingerprint(),
    userId,
    createdMs,
    expiresMs,
    armored: key.armor(),
    verifies: async (data, signature, nowMs) => {
      if (nowMs >= expiresMs || nowMs < createdMs - maxSkewMs) return false;
      try {
        const { signatures } = await library.verify({
          message: await library.createMessage({ binary: data }),
          signature: await library.readSignature({ binarySignature: signature }),
          verificationKeys: key,
          date: null, // no look at the clock: how old a call may be is said by its timestamp
        });
        if (signatures.length !== 1) return false;
        return await signatures[0]!.verified;
      } catch {
        return false;
      }
    },
  };
}

function refusal(why: string): Authv1Error {
  return new Authv1Error('ERR_AUTHV1_KEY', why);
}

async function expiryOf(key: Key): Promise<number> {
  const expires = await key.getExpirationTime();
  if (expires === null) throw refusal('the key is not valid');
  return expires === Infinity ? Infinity : new Date(expires).getTime();
}

/** The address of a user id, `name (comment) <address>`. */
export function emailOf(userId: string): string | undefined {
  return /<([^<>\s]+)>$/u.exec(userId)?.[1] ?? (/^[^<>\s@]+@[^<>\s@]+$/u.test(userId) ? userId : undefined);
}
