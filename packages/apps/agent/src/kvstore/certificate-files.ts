import { chmod } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import * as pki from '@nodecore/pki';
import type { Kvstore } from '@nodecore/config';
import { makeDirectory, type Secret, writeFileAtomic } from '@nodecore/sys';

import { ownAddresses } from './addresses.ts';

/** Where etcd finds what it shows. It reads them at each handshake: what is replaced is in force. */
export type CertificateFiles = {
  readonly ca: string;
  readonly server: { readonly crt: string; readonly key: string };
  readonly client: { readonly crt: string; readonly key: string };
};

/** PEM; the holder of this object wipes the key. */
export type ClientIdentity = { readonly crt: string; readonly key: Secret };

/** How long a certificate is used before the next one; it is valid for twice as long. */
export const memberRenewalMs: number = 12 * 3_600_000;
const lifetimeMs = 2 * memberRenewalMs;

/**
 * Issues what the member shows to those who ask it and to members that it asks, and writes it with its keys below
 * `directory`, where it does not outlive the boot.
 *
 * @param more names and addresses of this node that its interfaces do not have.
 */
export async function writeCertificates(
  directory: string,
  { ca }: Kvstore,
  more: readonly string[],
): Promise<CertificateFiles> {
  const addresses = ownAddresses().map(({ address }) => address);
  const names = [...new Set([hostname(), 'localhost', ...addresses, ...more])];
  const server = await pki.issueServer(ca, { names, lifetimeMs });
  using _serverKey = server.key;
  const client = await pki.issueNamedClient(ca, { commonName: `member ${hostname()}`, lifetimeMs });
  using _clientKey = client.key;
  await makeDirectory(directory);
  await chmod(directory, 0o700); // also one that is there: the member's socket is in it, and asks nobody who they are
  const authority = join(directory, 'ca.crt');
  await writeFileAtomic(authority, ca.crt);
  return {
    ca: authority,
    server: await write(directory, 'server', server),
    client: await write(directory, 'client', client),
  };
}

/** The node itself as a client. Where users are asked for it is the one that may do everything. */
export async function nodeClient({ ca }: Kvstore): Promise<ClientIdentity> {
  return await pki.issueNamedClient(ca, { commonName: 'root', lifetimeMs });
}

/** Between the two renames a handshake may find a key that does not fit; the one after it succeeds. */
async function write(
  directory: string,
  name: string,
  { crt, key }: pki.Identity,
): Promise<{ readonly crt: string; readonly key: string }> {
  const files = { crt: join(directory, `${name}.crt`), key: join(directory, `${name}.key`) };
  await writeFileAtomic(files.key, key.bytes);
  await writeFileAtomic(files.crt, crt);
  return files;
}
