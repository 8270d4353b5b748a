import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createWebAuthority, issueWebServer } from '@nodecore/pki';
import { Secret, unlessGone, writeFileAtomic } from '@nodecore/sys';

import type { ClusterDirectory } from '../directory.ts';

/** Whose password it is. */
export const user = 'admin';

/** By what clients know the service, and it them. */
export type RedfishCredentials = Disposable & {
  /** PEM. */
  readonly crt: string;
  readonly key: Secret;
  readonly password: Secret;
};

const lifetimeMs = 87_600 * 3_600_000;

/** Files of a service's credentials in the directory for secrets. */
export function redfishFiles({ secrets }: Pick<ClusterDirectory, 'secrets'>): {
  readonly crt: string;
  readonly key: string;
  readonly password: string;
} {
  return {
    crt: join(secrets, 'redfish-crt.pem'),
    key: join(secrets, 'redfish-key.pem'),
    password: join(secrets, 'redfish-password'),
  };
}

/** The credentials of a cluster's service, made when they are not all there. @param address of the certificate */
export async function redfishCredentials(
  directory: ClusterDirectory,
  address: string,
): Promise<RedfishCredentials> {
  const files = redfishFiles(directory);
  if ((await unlessGone(readFile(files.crt))) === undefined) await make(files, address); // which is written last
  const key = Secret.take(await readFile(files.key));
  const password = Secret.take(await readFile(files.password));
  return {
    crt: await readFile(files.crt, 'utf8'),
    key,
    password,
    [Symbol.dispose]: () => {
      key[Symbol.dispose]();
      password[Symbol.dispose]();
    },
  };
}

async function make(files: ReturnType<typeof redfishFiles>, address: string): Promise<void> {
  const authority = await createWebAuthority('nodecore redfish', { lifetimeMs });
  using _authorityKey = authority.key;
  const made = await issueWebServer(authority, { names: [address], lifetimeMs });
  using key = made.key;
  await writeFileAtomic(files.password, randomBytes(18).toString('base64url'));
  await writeFileAtomic(files.key, key.bytes);
  await writeFileAtomic(files.crt, made.crt);
}
