import type { Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { eachNode } from '../lifecycle/each-node.ts';
import type { WaitFlags } from '../lifecycle/flags.ts';
import { waitForSilence } from '../lifecycle/wait-for-boot.ts';

export type ShutdownFlags = GlobalFlags & WaitFlags & { readonly force?: true };

/** Switches nodes off and, unless told otherwise, waits until none of them answers. */
export async function shutdown(flags: ShutdownFlags, terminal: Terminal): Promise<void> {
  await eachNode(flags, terminal, async ({ target, tell, signal, wait }) => {
    await target.client.shutdown({ force: flags.force === true }, { node: target.node, signal });
    tell(target.name, 'goes off');
    if (wait !== undefined) await waitForSilence(target, wait);
    return wait === undefined ? 'goes off' : 'does not answer any more';
  });
}
