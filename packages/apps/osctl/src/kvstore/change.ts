import { DowngradeAction } from '@nodecore/api/kvstore';

import { confirm, formatObjects, print, printable, readFormat, Table, type Terminal } from '@nodecore/cli';
import { everyNode } from '../nodes/every-node.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { Targets } from '../nodes/target.ts';
import type { Flags } from './listing.ts';
import { hexId } from './member-id.ts';

/** The members of others answer first; taking one out waits for an election, and for a learner to let go. */
const changeTimeoutMs = 120_000;

/** Moves the leadership away from the members on these nodes. As a table, silent where nothing had to be moved. */
export async function forfeitLeadership(flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, async ({ client, node }) =>
    client.kvstore.forfeitLeadership({ node, signal: terminal.signal }),
  );
  if (format.kind === 'table') {
    for (const { target, result } of results)
      if (result.member !== '')
        await print(terminal.error, `${target.name}: ${printable(result.member)} leads now\n`);
  } else {
    const moved = results.map(({ target, result }) => ({ node: target.name, newLeader: result.member }));
    await print(terminal.out, await formatObjects(moved, format, { single: false }));
  }
  throwFailures();
}

/** Takes the member on one node out of the cluster, and its data away. */
export async function leave(flags: Flags & { readonly yes?: true }, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const question = `take ${name} out of the kvstore? Its copy of the data is deleted`;
    if (flags.yes !== true && !(await confirm(terminal, question))) return;
    await client.kvstore.leave({ node, signal: terminal.signal, timeoutMs: changeTimeoutMs });
    if (format.kind !== 'table')
      await print(terminal.out, await formatObjects([{ node: name, left: true }], format, { single: true }));
  });
}

/** Removes a broken member; asked of the first node that answers. */
export async function removeMember(
  memberId: bigint,
  flags: Flags & { readonly force?: true },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const failures: unknown[] = [];
  for (const { client, node } of targets.all) {
    try {
      const request = { memberId, force: flags.force === true };
      const limits = { node, signal: terminal.signal, timeoutMs: changeTimeoutMs };
      await client.kvstore.removeMember(request, limits);
      const removed = { member: hexId(memberId), removed: true };
      if (format.kind === 'table') await print(terminal.error, `removed member ${removed.member}\n`);
      else await print(terminal.out, await formatObjects([removed], format, { single: true }));
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
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const request = { action: downgradeActions[step], version };
    const { clusterVersion } = await client.kvstore.downgrade(request, { node, signal: terminal.signal });
    if (format.kind !== 'table') {
      const done = { node: name, step, clusterVersion };
      await print(terminal.out, await formatObjects([done], format, { single: true }));
      return;
    }
    const message = `downgrade ${step} success, cluster version ${clusterVersion}`;
    await print(terminal.out, new Table(['node', 'message']).format([[name, message]]));
  });
}
