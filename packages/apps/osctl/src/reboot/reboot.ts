import { RebootMode } from '@nodecore/api/machine';
import type { Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { backAgain, eachNode } from '../lifecycle/each-node.ts';
import type { DrainFlags, WaitFlags } from '../lifecycle/flags.ts';

/** `default` is in order, and past the firmware where that is proven; `powercycle` is in order and always through the firmware. */
export type RebootModeWord = 'default' | 'powercycle' | 'force';

export type RebootFlags = GlobalFlags & WaitFlags & DrainFlags & { readonly mode: RebootModeWord };

/** What the words of `--mode` are on the wire. */
export const rebootModes: Readonly<Record<RebootModeWord, RebootMode>> = {
  default: RebootMode.DEFAULT,
  powercycle: RebootMode.POWERCYCLE,
  force: RebootMode.FORCE,
};

/** Reboots nodes and, unless told otherwise, waits until each is ready again. */
export async function reboot(flags: RebootFlags, terminal: Terminal): Promise<void> {
  await eachNode(flags, terminal, async (work) => {
    const { target, tell, signal, leaves } = work;
    const request = { mode: rebootModes[flags.mode] };
    const { actorId } = await target.client.reboot(request, { node: target.node, signal });
    tell(target.name, 'reboots');
    leaves('the node goes on by itself: osctl get machinestatus says how far it is');
    return await backAgain(work, { actorId, otherwise: 'reboots' });
  });
}
