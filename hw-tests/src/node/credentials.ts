import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Client, connect, Osconfig } from '@nodecore/api';

import { checkout } from '../paths.ts';
import { ownDocuments } from './first-configuration.ts';
import type { NodeName } from './start-options.ts';

/** The files that `osctl gen config` makes for a node, once. */
export type NodeSecrets = {
  /** The root document, with the authority's key. */
  readonly controlplane: string;
  /** A client config with an administrator. */
  readonly osconfig: string;
};

/** Where osctl is started from; also for people who follow what `npm start` prints. */
export const osctl: string = join(checkout, 'packages', 'apps', 'osctl', 'bin', 'osctl.js');

export async function nodeSecrets(name: NodeName, directory: string, port: number): Promise<NodeSecrets> {
  const secrets = join(directory, 'secrets');
  const files = { controlplane: join(secrets, 'controlplane.yaml'), osconfig: join(secrets, 'osconfig') };
  if (existsSync(files.controlplane) && existsSync(files.osconfig)) return files;
  await mkdir(secrets, { recursive: true, mode: 0o700 });
  const endpoint = `127.0.0.1:${port}`;
  const made = join(secrets, 'made');
  // An interrupted first time may have left some of it, which nothing was made with yet.
  const again = ['--force', '--new-secrets', '--output-types', 'controlplane,osconfig'];
  const command = ['gen', 'config', name, 'https://127.0.0.1:6443', ...again, '--output', `${made}/`];
  await promisify(execFile)(process.execPath, [osctl, '--endpoints', endpoint, ...command]);
  const whole = await readFile(join(made, 'controlplane.yaml'));
  await writeFile(files.controlplane, ownDocuments(whole), { mode: 0o600 });
  await rename(join(made, 'osconfig'), files.osconfig);
  await rm(made, { recursive: true });
  return files;
}

/** A client of the node as its administrator. The caller closes it. */
export async function administrator(name: NodeName, secrets: NodeSecrets, port: number): Promise<Client> {
  const context = Osconfig.parse(await readFile(secrets.osconfig, 'utf8'), secrets.osconfig).context(name);
  using key = context.key;
  if (context.ca === undefined || context.crt === undefined || key === undefined) {
    throw new TypeError(`${secrets.osconfig} has no administrator`);
  }
  return connect({ endpoint: `127.0.0.1:${port}`, ca: context.ca, crt: context.crt, key });
}

/** Whether the node takes its administrator's certificate: it has its configuration then. */
export async function isAdministrated(
  name: NodeName,
  secrets: NodeSecrets,
  port: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await using client = await administrator(name, secrets, port);
    await client.version({ signal });
    return true;
  } catch {
    signal.throwIfAborted();
    return false; // it does not answer yet, or to everybody
  }
}
