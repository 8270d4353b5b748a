import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';

/**
 * Public keys that sign releases, in PEM.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP` and the file.
 */
export async function loadReleaseKeys(paths: readonly string[]): Promise<readonly KeyObject[]> {
  return await Promise.all(paths.map((path) => publicKey(path)));
}

async function publicKey(path: string): Promise<KeyObject> {
  try {
    const key = createPublicKey(await readFile(path));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new FactoryError('ERR_FACTORY_SETUP', `${path}: ${codeOf(error) ?? 'can not be read'}`, {
      cause: error,
    });
  }
  throw new FactoryError('ERR_FACTORY_SETUP', `${path}: no Ed25519 key`);
}
