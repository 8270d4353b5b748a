import type { Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { backAgain, eachNode } from '../lifecycle/each-node.ts';
import type { WaitFlags } from '../lifecycle/flags.ts';
import { requireEntry } from '../lifecycle/require-entry.ts';

export type RollbackFlags = GlobalFlags & WaitFlags & { readonly force?: true };

/** Has nodes go back and, unless told otherwise, waits until each is ready again. */
export async function rollback(flags: RollbackFlags, terminal: Terminal): Promise<void> {
  await eachNode(flags, terminal, async (work) => {
    const { target, tell, signal, leaves } = work;
    const { version, entry, actorId } = await target.client.rollback(
      { force: flags.force === true },
      { node: target.node, signal },
    );
    tell(target.name, `goes back to ${version}`);
    leaves('the node goes on by itself: osctl get bootedentry says what runs');
    const back = await backAgain(work, { actorId, otherwise: 'reboots' });
    if (work.wait !== undefined) await requireEntry(target, { entry, version, signal });
    return { ...back, words: `${back.words}: ${version}`, version };
  });
}
