import type { Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { eachNode, withEvents } from '../lifecycle/each-node.ts';
import type { WaitFlags } from '../lifecycle/flags.ts';
import { waitForOff } from '../lifecycle/wait-for-off.ts';

export type ShutdownFlags = GlobalFlags & WaitFlags & { readonly force?: true };

/** Switches nodes off and, unless told otherwise, waits until their machines are off, as far as that is known from here. */
export async function shutdown(flags: ShutdownFlags, terminal: Terminal): Promise<void> {
  await eachNode(flags, terminal, async (work) => {
    const { target, tell, signal, leaves } = work;
    const request = { force: flags.force === true };
    const { actorId } = await target.client.shutdown(request, { node: target.node, signal });
    tell(target.name, 'goes off');
    leaves('the node goes off by itself');
    const off = await withEvents(work, actorId, (wait) => waitForOff(target, wait));
    return off ?? { words: 'goes off', state: 'asked' };
  });
}
