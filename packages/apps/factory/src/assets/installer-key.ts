import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { type FileHandle, lstat, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import {
  codeOf,
  errnoName,
  flock,
  LOCK_EX,
  LOCK_NB,
  makeDirectory,
  unlessGone,
  writeFileAtomic,
} from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import { isFull } from '../full.ts';

/** Whoever has the lock is done after a write. */
const lockRetryMs = 20;

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
 * @throws {FactoryError} with `ERR_FACTORY_SETUP` for a file that is not there, is no private Ed25519 key, or can't be made.
 */
export async function loadInstallerKey(file: string | undefined, storage: string): Promise<InstallerKey> {
  const path = file ?? join(storage, 'installer.key');
  if (file === undefined)
    await makeKey(path).catch((error: unknown) => {
      const why = isFull(error) ? 'no room on its disk' : (codeOf(error) ?? 'can not be made');
      throw new FactoryError('ERR_FACTORY_SETUP', `${path}: ${why}`, { cause: error });
    });
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

/** Never instead of one that is there, and whole or not at all: nodes trust it from their first image on. */
async function makeKey(path: string): Promise<void> {
  await makeDirectory(dirname(path));
  if (await isThere(path)) return;
  // Of processes that begin at once, one makes it, and the others find it: two keys would be two factories to nodes.
  await using lock = await open(`${path}.lock`, 'a', 0o600); // a network disk has locks of files alone that can be written
  await locked(lock);
  if (await isThere(path)) return;
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFileAtomic(path, pem);
}

/** Until the file is closed. Who waits for it keeps no thread of the pool: who has it needs one. */
async function locked(file: FileHandle): Promise<void> {
  for (;;) {
    const { result, errno } = await flock(file.fd, LOCK_EX | LOCK_NB);
    if (result === 0) return;
    const code = errnoName(errno);
    if (code !== 'EAGAIN') throw Object.assign(new Error(`flock: ${code}`), { code });
    await wait(lockRetryMs);
  }
}

/** One of no bytes is none: a full disk has left it to an earlier version. What can't be looked at may be one. */
async function isThere(path: string): Promise<boolean> {
  const found = await unlessGone(lstat(path));
  return found !== undefined && !(found.isFile() && found.size === 0);
}
