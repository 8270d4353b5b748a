import { WipeMethod, type WipeRequestInit, type WipeResponse } from '@nodecore/api/storage';

import { shortSize, type Terminal } from '@nodecore/cli';
import { onlyNode } from '../nodes/only-node.ts';
import { type Flags, wipeNamed } from './wipe-named.ts';

export type DiskFlags = Flags & { readonly dropPartition?: true };

/** Shows what would be destroyed, asks for the names, and wipes. */
export async function wipeDisks(
  names: readonly string[],
  flags: DiskFlags,
  terminal: Terminal,
): Promise<void> {
  await onlyNode(flags, terminal, async (target) => {
    const { client, node } = target;
    const { signal } = terminal;
    const dropPartition = flags.dropPartition === true;
    const request: WipeRequestInit = { devices: [...names], method: WipeMethod[flags.method], dropPartition };
    const identities: string[] = [];
    const wipe = (dryRun: boolean): AsyncIterable<WipeResponse> =>
      client.wipe({ ...request, ...(dryRun ? { dryRun } : { identities }) }, { node, signal });
    const plan = (planned: WipeResponse): string => {
      identities.push(planned.identity); // what was shown is what is wiped
      return planOf(planned, dropPartition);
    };
    await wipeNamed(names, { target, flags, wipe, plan }, terminal);
  });
}

function planOf({ device, content, sizeBytes, takers }: WipeResponse, dropPartition: boolean): string {
  const holds = content === '' ? 'nothing that is recognised' : content;
  const entry = dropPartition ? ', and its entry in the partition table' : '';
  const taken = takers.length === 0 ? '' : `; when it is blank it may be taken by ${takers.join(', ')}`;
  return `${device}, ${shortSize(sizeBytes)}, holds ${holds}: will be wiped${entry}${taken}`;
}
