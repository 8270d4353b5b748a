import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory, writeFileAtomic } from '@nodecore/sys';

/** The names of the keys that releases are signed with, in their directory. */
export const releaseKeyNames = { private: 'release.key', public: 'release.pub' } as const;

/** The key that releases of this checkout are signed with: made at the first need, readable by its owner alone. */
export async function releaseKey(directory: string): Promise<KeyObject> {
  const path = join(directory, releaseKeyNames.private);
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await makeDirectory(directory);
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFileAtomic(path, pem(privateKey, 'pkcs8'), { mode: 0o600 });
  await writeFileAtomic(join(directory, releaseKeyNames.public), pem(createPublicKey(privateKey), 'spki'), {
    mode: 0o644,
  });
  return privateKey;
}

function pem(key: KeyObject, type: 'pkcs8' | 'spki'): Buffer {
  return Buffer.from(key.export({ format: 'pem', type }) as string);
}
