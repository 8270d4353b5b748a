import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';

/** What signs installer images; nodes that were made here have the public half. */
export type InstallerKey = {
  readonly privateKey: KeyObject;
  /** PEM. */
  readonly publicPem: string;
  /** 16 hex digits of the SHA-256 of the public key: the name of its file on nodes. */
  readonly name: string;
};

/**
 * Reads the key from a file, or makes one in the storage directory, where it stays: nodes take upgrades from it.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP` for a file that is not there or is no private Ed25519 key.
 */
export async function loadInstallerKey(file: string | undefined, storage: string): Promise<InstallerKey> {
  const path = file ?? join(storage, 'installer.key');
  if (file === undefined) await makeKey(path);
  const privateKey = await read(path);
  const publicKey = createPublicKey(privateKey);
  const name = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
  return { privateKey, publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), name };
}

async function read(path: string): Promise<KeyObject> {
  const pem = await readFile(path).catch((error: unknown) => {
    throw new FactoryError('ERR_FACTORY_SETUP', `${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // No cause: it could describe the bytes.
  } finally {
    pem.fill(0);
  }
  throw new FactoryError('ERR_FACTORY_SETUP', `${path}: no private Ed25519 key in PEM`);
}

/** Never instead of one that is there. */
async function makeKey(path: string): Promise<void> {
  await makeDirectory(dirname(path));
  const there = await readFile(path).catch(() => undefined);
  if (there !== undefined && there.length > 0) return;
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(pem);
  await file.sync();
}
