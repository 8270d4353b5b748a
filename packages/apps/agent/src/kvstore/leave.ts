import { type Kvstore, leave, members, status } from '@nodecore/kvstore';

import type { Member } from './member.ts';

/** Takes the member out of its cluster, and its data away. One that the others have removed has left already, all but its data. */
export async function leaveCluster(member: Member): Promise<void> {
  if (member.state.phase !== 'removed') {
    const { kvstore } = member;
    const { memberId } = await status(kvstore, endpointOf(kvstore));
    await member.whileBusy(() => leave(kvstore, memberId));
  }
  await member.abandon();
}

/** The same where there is something to leave: not for a node that is no member, has no data, or is the only one. */
export async function leaveIfMember(
  member: Member,
  signal?: AbortSignal,
): Promise<'left' | 'nothing to leave'> {
  const { phase } = member.state;
  if (phase === 'disabled') return 'nothing to leave';
  if (phase !== 'removed') {
    if (!(await (await member.directory()).hasData())) return 'nothing to leave';
    const { kvstore } = member;
    const all = await members(kvstore, { endpoint: endpointOf(kvstore), ...(signal && { signal }) });
    if (all.length === 1) return 'nothing to leave';
  }
  await leaveCluster(member);
  return 'left';
}

/** The node's own member, and no other: a split view shows. */
export function endpointOf({ endpoints }: Kvstore): string {
  return endpoints[0] ?? '';
}
