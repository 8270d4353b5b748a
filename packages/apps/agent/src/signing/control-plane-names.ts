import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { fieldsOf, type Json } from '@nodecore/state';

import { canonicalName } from './names.ts';

/** A name server that is silent does not keep workers waiting for long. */
const patienceMs = 2_000;

/**
 * What control planes are called, as far as one of them knows: its own names, and where its configuration has the orchestrator,
 * with the addresses that this name has now.
 */
export async function controlPlaneNames(
  own: readonly string[],
  endpoint: string | undefined,
  resolve: (host: string) => Promise<readonly { readonly address: string }[]> = (host) =>
    lookup(host, { all: true }),
): Promise<readonly string[]> {
  const host = endpoint === undefined ? undefined : new URL(endpoint).hostname.replaceAll(/[[\]]/gu, '');
  const found = host === undefined || isIP(host) !== 0 ? [] : await addressesOf(host, resolve);
  return [...own, ...(host === undefined ? [] : [host]), ...found].flatMap(
    (name) => canonicalName(name) ?? [],
  );
}

/** Where control planes are, by the member of the kvstore that this node is: it and its peers. */
export function kvstoreAddresses(member: Json | undefined): readonly string[] {
  if (member === undefined) return [];
  const { clientURL, peers } = fieldsOf(member);
  const own = typeof clientURL === 'string' && URL.canParse(clientURL) ? [new URL(clientURL).hostname] : [];
  const others = Array.isArray(peers) ? peers.filter((peer) => typeof peer === 'string') : [];
  return [...own.map((host) => host.replaceAll(/[[\]]/gu, '')), ...others];
}

async function addressesOf(
  host: string,
  resolve: (host: string) => Promise<readonly { readonly address: string }[]>,
): Promise<readonly string[]> {
  const silent = new Promise<readonly []>((done) => setTimeout(() => done([]), patienceMs).unref());
  const answers = await Promise.race([resolve(host).catch(() => []), silent]);
  return answers.map(({ address }) => address);
}
