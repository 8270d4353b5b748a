import { isIP } from 'node:net';

import { type Terminal, UsageError } from '@nodecore/cli';
import { createWebAuthority, issueWebServer } from '@nodecore/pki';
import { stringify } from 'yaml';

import { type OutputFile, writeFiles } from '../gen/files.ts';
import { one } from '../gen/document.ts';

export type CacheCertificateFlags = {
  readonly advertisedAddress?: readonly string[];
  readonly advertisedName?: readonly string[];
  readonly tlsCaFile: string;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly patchFile: string;
  readonly force?: true;
  readonly output: string;
};

/** Makes a certificate for `image cache-serve`, its authority, whose key is nowhere, and the document that has nodes trust it. */
export async function generateCacheCertificates(
  flags: CacheCertificateFlags,
  terminal: Terminal,
): Promise<void> {
  const { advertisedAddress = [], advertisedName = [], force, output } = flags;
  const wrong = advertisedAddress.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new UsageError(`--advertised-address ${wrong} is no IP address`);
  const names = [...advertisedAddress, ...advertisedName];
  if (names.length === 0)
    throw new UsageError('say how nodes reach the cache: --advertised-address, --advertised-name, or both');
  const authority = await createWebAuthority('image cache');
  using _authorityKey = authority.key;
  const server = await issueWebServer(authority, { names });
  using key = server.key;
  const trust = one('TrustedRootsConfig', { name: 'image-cache-ca', certificates: authority.crt });
  const files: readonly OutputFile[] = [
    { path: flags.tlsCaFile, content: authority.crt, secret: false },
    { path: flags.tlsCertFile, content: server.crt, secret: false },
    { path: flags.tlsKeyFile, content: key, secret: true },
    { path: flags.patchFile, content: stringify(trust), secret: false },
  ];
  await writeFiles(files, { force: force === true, terminal, format: output });
}
