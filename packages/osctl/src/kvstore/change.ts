import { DowngradeAction } from '@nodecore/api';

import { confirm } from '../confirm.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { Targets } from '../nodes/target.ts';
import { Table } from '../output/table.ts';
import { print, type Terminal } from '../terminal.ts';
import { hexId } from './member-id.ts';

/** The members of others answer first; taking one out waits for an election, and for a learner to let go. */
const changeTimeoutMs = 120_000;

/** Moves the leadership away from the members on these nodes. Silent where nothing had to be moved. */
export async function forfeitLeadership(flags: GlobalFlags, terminal: Terminal): Promise<void> {
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, async ({ client, node }) =>
    client.kvstore.forfeitLeadership({ node, signal: terminal.signal }),
  );
  for (const { target, result } of results)
    if (result.member !== '') await print(terminal.error, `${target.name}: ${result.member} leads now\n`);
  throwFailures();
}

/** Takes the member on one node out of the cluster, and its data away. */
export async function leave(flags: GlobalFlags & { readonly yes?: true }, terminal: Terminal): Promise<void> {
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const question = `take ${name} out of the kvstore? Its copy of the data is deleted`;
    if (flags.yes !== true && !(await confirm(terminal, question))) return;
    await client.kvstore.leave({ node, signal: terminal.signal, timeoutMs: changeTimeoutMs });
  });
}

/** Removes a broken member; asked of the first node that answers. */
export async function removeMember(
  memberId: bigint,
  flags: GlobalFlags & { readonly force?: true },
  terminal: Terminal,
): Promise<void> {
  await using targets = await Targets.open(flags, terminal);
  const failures: unknown[] = [];
  for (const { client, node } of targets.all) {
    try {
      const request = { memberId, force: flags.force === true };
      const limits = { node, signal: terminal.signal, timeoutMs: changeTimeoutMs };
      await client.kvstore.removeMember(request, limits);
      await print(terminal.error, `removed member ${hexId(memberId)}\n`);
      return;
    } catch (error) {
      terminal.signal.throwIfAborted();
      failures.push(error);
    }
  }
  throw failures[0];
}

export type DowngradeStep = 'validate' | 'enable' | 'cancel';

const downgradeActions: Readonly<Record<DowngradeStep, DowngradeAction>> = {
  validate: DowngradeAction.VALIDATE,
  enable: DowngradeAction.ENABLE,
  cancel: DowngradeAction.CANCEL,
};

/** Asks whether the cluster can go back to a version, lets it, or takes that back. */
export async function downgrade(
  step: DowngradeStep,
  version: string,
  flags: GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const request = { action: downgradeActions[step], version };
    const { clusterVersion } = await client.kvstore.downgrade(request, { node, signal: terminal.signal });
    const message = `downgrade ${step} success, cluster version ${clusterVersion}`;
    await print(terminal.out, new Table(['node', 'message']).format([[name, message]]));
  });
}
