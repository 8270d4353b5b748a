import type { Kvstore as KvstoreSettings } from '@nodecore/config';

import type { DataDirectory } from './data-directory.ts';

/** Why a member without data does not begin; undefined: it was told how, or knows whom to ask. */
export async function whyIdle(
  { endpoints }: KvstoreSettings,
  directory: DataDirectory,
): Promise<string | undefined> {
  if ((await directory.beginning()) !== undefined) return undefined;
  const left = await directory.hasLeft();
  if (!left && endpoints.length > 0) return undefined;
  if (!left) return 'it has no data: run osctl bootstrap on one node of the cluster';
  return 'it has left the cluster: to join again, take cluster.kvstore out of its configuration and put it back';
}

/** Why a node of type init does not begin again. */
export const begunBefore: string =
  'it has begun the kvstore once, and the data is gone: name members in cluster.kvstore.endpoints to join them, or give it the ' +
  'type controlplane and run osctl bootstrap';

/** What a member waits for whose volume is not there. */
export function waitsForVolume({ volume }: KvstoreSettings): string {
  return `the volume ${volume === undefined ? 'EPHEMERAL' : `u-${volume}`} is not mounted`;
}

/** Whether nothing changes for a member that runs. Keys are compared; they may be of two configurations. */
export function isSame(one: KvstoreSettings | undefined, other: KvstoreSettings | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return facts(one) === facts(other) && one.ca.key.equals(other.ca.key);
}

function facts({ ca, extraArgs, ...rest }: KvstoreSettings): string {
  // What is done to it, and how often, is none of the member's business.
  return JSON.stringify({
    ...rest,
    snapshots: undefined,
    defragmentation: undefined,
    crt: ca.crt,
    extraArgs: [...extraArgs],
  });
}
