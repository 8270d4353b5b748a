import { join } from 'node:path';

import { hasFormerData, hasLoggedWrites, members, status, verifySnapshot } from '@nodecore/kvstore';

import type { DataDirectory } from './data-directory.ts';
import { MemberError } from './errors.ts';
import type { Member } from './member.ts';

/**
 * A cluster begins where there is no member yet.
 *
 * @throws {MemberError} `ERR_MEMBER_HAS_DATA`
 */
export async function requireNoData(directory: DataDirectory): Promise<void> {
  await requireNotJoining(directory);
  if (!(await directory.hasData())) return;
  throw new MemberError(
    'ERR_MEMBER_HAS_DATA',
    `there is a member of the kvstore in ${directory.path} already; it goes on by itself, see osctl get kvstoremembers`,
  );
}

/**
 * A database in use is not replaced: somebody would lose what they have written. One that was never healthy, or in which
 * nothing was ever written, is.
 *
 * @throws {MemberError} `ERR_MEMBER_HAS_DATA`
 */
export async function requireReplaceable(member: Member, directory: DataDirectory): Promise<void> {
  await requireNotJoining(directory);
  if (!(await directory.hasData())) return;
  if (await isUnsettled(directory)) return;
  if (await isFresh(member)) return;
  throw hasDataError(directory);
}

/**
 * The same with etcd stopped: until it was, it took writes, and when it was killed they are in its log alone.
 *
 * @throws {MemberError} `ERR_MEMBER_HAS_DATA`
 */
export async function requireUnwritten(directory: DataDirectory): Promise<void> {
  await requireNotJoining(directory);
  if (!(await directory.hasData())) return;
  if (await hasLoggedWrites(directory.data)) throw hasDataError(directory);
  if (await isUnsettled(directory)) return;
  const { revision } = await verifySnapshot(join(directory.data, 'member', 'snap', 'db'));
  if (revision > 1n) throw hasDataError(directory);
}

/** It began here, empty or from a snapshot, and was never seen healthy. */
async function isUnsettled(directory: DataDirectory): Promise<boolean> {
  return (await directory.beginning()) !== undefined || (await hasFormerData(directory.data));
}

/** What it gets is of a cluster that lives, and counts on it. */
async function requireNotJoining(directory: DataDirectory): Promise<void> {
  if ((await directory.beginning())?.state !== 'existing') return;
  const message = `there is a member of the kvstore in ${directory.path} already; it joins a cluster`;
  const next = 'wipe its volume if that cluster is lost';
  throw new MemberError('ERR_MEMBER_HAS_DATA', `${message}, see osctl get kvstoremembers; ${next}`);
}

function hasDataError({ path }: DataDirectory): MemberError {
  const message = `there is a kvstore with data in ${path}, which is not replaced`;
  const next =
    'take the member out with osctl kvstore leave; the last one goes with its volume, or with this directory while the agent is stopped';
  return new MemberError('ERR_MEMBER_HAS_DATA', `${message}: ${next}`);
}

/** The only member of a cluster without a single write. */
async function isFresh(member: Member): Promise<boolean> {
  if (member.state.phase !== 'running') return false;
  const { kvstore } = member;
  const [endpoint = ''] = kvstore.endpoints;
  const { revision } = await status(kvstore, endpoint);
  return revision <= 1n && (await members(kvstore)).length === 1;
}
