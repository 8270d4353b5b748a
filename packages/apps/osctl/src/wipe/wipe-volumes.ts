import { WipeMethod, type WipeResponse, type WipeVolumesRequestInit } from '@nodecore/api/storage';

import { shortSize, type Terminal } from '@nodecore/cli';
import { onlyNode } from '../nodes/only-node.ts';
import { type Flags, wipeNamed } from './wipe-named.ts';

/** Shows what would be destroyed, asks for the ids, and wipes. */
export async function wipeVolumes(ids: readonly string[], flags: Flags, terminal: Terminal): Promise<void> {
  await onlyNode(flags, terminal, async (target) => {
    const { client, node } = target;
    const { signal } = terminal;
    const request: WipeVolumesRequestInit = { volumes: [...ids], method: WipeMethod[flags.method] };
    const wipe = (dryRun: boolean): AsyncIterable<WipeResponse> =>
      client.wipeVolumes({ ...request, dryRun }, { node, signal });
    await wipeNamed(ids, { target, flags, wipe, plan }, terminal);
  });
}

function plan({ device, content, sizeBytes, closes }: WipeResponse): string {
  const below = closes.length === 0 ? '' : `; ${closes.join(', ')} on it will be closed meanwhile`;
  const holds = content === '' ? 'what nobody recognises' : content;
  return `${device}, ${shortSize(sizeBytes)}, holds ${holds}: will be closed and wiped${below}`;
}
