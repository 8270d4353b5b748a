import type { Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { eachNode } from '../lifecycle/each-node.ts';
import type { WaitFlags } from '../lifecycle/flags.ts';
import { waitForOff } from '../lifecycle/wait-for-off.ts';

export type ShutdownFlags = GlobalFlags & WaitFlags & { readonly force?: true };

/** Switches nodes off and, unless told otherwise, waits until their machines are off, as far as that is known from here. */
export async function shutdown(flags: ShutdownFlags, terminal: Terminal): Promise<void> {
  await eachNode(flags, terminal, async ({ target, tell, signal, wait, leaves }) => {
    await target.client.shutdown({ force: flags.force === true }, { node: target.node, signal });
    tell(target.name, 'goes off');
    leaves('the node goes off by itself');
    return wait === undefined ? { words: 'goes off', state: 'asked' } : await waitForOff(target, wait);
  });
}
