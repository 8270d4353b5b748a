import { open, readFile } from 'node:fs/promises';

import { certificatePin } from '@nodecore/fleet-api';
import { createWebAuthority, type Identity, issueWebServer, readCertificate } from '@nodecore/pki';
import { codeOf, Secret, writeFileAtomic } from '@nodecore/sys';

import type { FleetConfiguration } from '../configuration.ts';
import { FleetError } from '../errors.ts';

/** What the server shows, and whom clients that know no public authority for it believe. */
export type ServerIdentity = {
  /** PEM chain. */
  readonly crt: string;
  readonly key: Secret;
  /** PEM of the authority; with a certificate that was given: its chain. */
  readonly authority: string;
  /** SHA-256 of the authority's certificate; undefined for a certificate that was given. */
  readonly fleetCa: string | undefined;
};

/**
 * The certificate of the files that were named; else one for the host of the advertised URL, made at every start by an authority
 * that is made at the first and kept beside the state, mode 0600. The caller disposes the key.
 *
 * @throws {FleetError} `ERR_FLEET_SETUP` for files that can't be read.
 */
export async function serverIdentity(configuration: FleetConfiguration): Promise<ServerIdentity> {
  const { certificate, stateFile, advertisedUrl, listen } = configuration;
  if (certificate !== undefined) {
    const crt = (await required(certificate.crt)).toString('utf8');
    return { crt, authority: crt, key: Secret.take(await required(certificate.key)), fleetCa: undefined };
  }
  const authority = await ownAuthority(stateFile);
  using _key = authority.key;
  const host = advertisedUrl.hostname.replace(/^\[(.*)\]$/u, '$1');
  const isEvery = listen.host === '0.0.0.0' || listen.host === '::';
  const names = new Set([host, ...(isEvery ? [] : [listen.host]), 'localhost', '127.0.0.1']);
  const server = await issueWebServer(authority, { names: [...names] });
  return { ...server, authority: authority.crt, fleetCa: certificatePin(readCertificate(authority.crt)) };
}

/** Certificate of the authority beside a state file: what clients are given. */
export function authorityPath(stateFile: string): string {
  return `${stateFile}.ca.crt`;
}

async function ownAuthority(stateFile: string): Promise<Identity> {
  const crtPath = authorityPath(stateFile);
  const keyPath = `${stateFile}.ca.key`;
  const [crt, key] = await Promise.all([present(crtPath), present(keyPath)]);
  if (crt !== undefined && key !== undefined) return { crt: crt.toString('utf8'), key: Secret.take(key) };
  // The certificate is written last: without it no client has seen this authority.
  if (crt !== undefined) throw new FleetError('ERR_FLEET_SETUP', `${keyPath} is missing: put it back`);
  const made = await createWebAuthority('fleet');
  await writeFileAtomic(keyPath, made.key.bytes);
  await writeFileAtomic(crtPath, made.crt, { mode: 0o644 });
  return made;
}

async function present(path: string): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, 'r');
    return await file.readFile();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new FleetError('ERR_FLEET_SETUP', `${path}: ${codeOf(error) ?? 'it can not be read'}`);
  }
}

async function required(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new FleetError('ERR_FLEET_SETUP', `${path}: ${codeOf(error) ?? 'it can not be read'}`);
  }
}
