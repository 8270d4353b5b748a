import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import * as pki from '@nodecore/pki';
import type { Secret } from '@nodecore/sys';

/** What a client of a test cluster shows and trusts, for our own client and as files for `etcdctl`. */
export type EtcdTls = {
  /** PEM of the authority of servers, peers and clients. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: Secret;
  readonly files: EtcdTlsFiles;
  /** The authority itself, for tests that need certificates of another kind. */
  readonly authority: pki.Identity;
};

export type EtcdTlsFiles = { readonly ca: string; readonly certificate: string; readonly key: string };

/** An authority and one certificate of each kind, as PEM files in the directory. The address is the servers' only name. */
export async function createEtcdTls(directory: string, address: string): Promise<EtcdTls> {
  const authority = await pki.createCA('kvstore');
  const client = await pki.issueClient(authority, { roles: ['root'] });
  await issue(directory, 'server', await pki.issueServer(authority, { names: [address] }));
  await issue(directory, 'client', client);
  await writeFile(join(directory, 'ca.crt'), authority.crt);
  return {
    ca: authority.crt,
    certificate: client.crt,
    key: client.key,
    files: filesOf(directory, 'client'),
    authority,
  };
}

/** A client of the same cluster that is a user there: etcd takes the common name for one. */
export async function etcdUser(tls: EtcdTls, name: string): Promise<EtcdTls> {
  const user = await pki.issueNamedClient(tls.authority, { commonName: name });
  const directory = dirname(tls.files.ca);
  await issue(directory, `user-${name}`, user);
  return { ...tls, certificate: user.crt, key: user.key, files: filesOf(directory, `user-${name}`) };
}

/** Arguments of etcd by which it serves, and asks other members, over TLS with certificates on both sides. */
export function tlsArguments(directory: string): string[] {
  const server = filesOf(directory, 'server');
  const client = filesOf(directory, 'client');
  // Certificates are for servers or for clients: etcd, which is both, gets one of each.
  return ['', 'peer-'].flatMap((side) => [
    `--${side}cert-file=${server.certificate}`,
    `--${side}key-file=${server.key}`,
    `--${side}trusted-ca-file=${server.ca}`,
    `--${side}client-cert-auth`,
    `--${side}client-cert-file=${client.certificate}`,
    `--${side}client-key-file=${client.key}`,
  ]);
}

function filesOf(directory: string, name: string): EtcdTlsFiles {
  return {
    ca: join(directory, 'ca.crt'),
    certificate: join(directory, `${name}.crt`),
    key: join(directory, `${name}.key`),
  };
}

async function issue(directory: string, name: string, { crt, key }: pki.Identity): Promise<void> {
  const files = filesOf(directory, name);
  await writeFile(files.certificate, crt);
  await writeFile(files.key, key.bytes, { mode: 0o600 });
}
