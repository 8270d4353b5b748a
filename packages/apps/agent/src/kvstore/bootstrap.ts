import { randomUUID } from 'node:crypto';

import type { DataDirectory } from './data-directory.ts';
import { MemberError } from './errors.ts';
import { etcdVersion } from './etcd-process.ts';
import type { Member } from './member.ts';
import { type RecoverOptions, restore } from './recover.ts';
import { requireNoData } from './replaceable.ts';

export type BootstrapStep = {
  readonly step: 'restoring' | 'starting' | 'healthy';
  readonly message: string;
  /** Of the last one. */
  readonly memberId?: bigint;
};

/** An election takes a second; an emulated processor takes a minute for everything else. */
const healthyTimeoutMs = 120_000;

export type BootstrapOptions = RecoverOptions & {
  /** From the snapshot that was uploaded. */
  readonly recover: boolean;
};

/**
 * Makes this node the first member of a new cluster, and yields what it does. A call after one that died goes on where
 * that one ended.
 *
 * @throws {MemberError} `ERR_MEMBER_HAS_DATA` when there is a member already.
 */
export async function* bootstrap(
  member: Member,
  options: BootstrapOptions,
  signal: AbortSignal,
): AsyncGenerator<BootstrapStep, void, undefined> {
  const directory = await member.directory();
  await etcdVersion(member.program); // before anything is changed
  if (options.recover) {
    yield { step: 'restoring', message: 'proving the snapshot, and making a database of it' };
    await restore(member, directory, options, signal);
  } else if ((await directory.beginning())?.state !== 'new') {
    await requireNoData(directory);
    await member.interrupt(() => begin(member, directory));
  }
  yield { step: 'starting', message: `etcd starts with its data in ${directory.path}` };
  yield { step: 'healthy', ...(await healthy(member, signal)) };
}

/** Looks again, and begins; the data can not change meanwhile. */
async function begin(member: Member, directory: DataDirectory): Promise<void> {
  await requireNoData(directory);
  const { name, peerUrl } = member.self();
  await directory.forgetLeaving();
  await directory.begin({ state: 'new', members: [`${name}=${peerUrl}`], token: randomUUID() });
}

async function healthy(
  member: Member,
  signal: AbortSignal,
): Promise<{ readonly message: string; readonly memberId: bigint }> {
  const timeout = AbortSignal.timeout(healthyTimeoutMs);
  let why = 'it did not start';
  for await (const state of member.follow(AbortSignal.any([signal, timeout]))) {
    const { phase, reason } = state;
    if (phase === 'running' && state.healthy === true && state.status !== undefined)
      return { message: 'the member is healthy', memberId: state.status.memberId };
    why = reason ?? why;
  }
  signal.throwIfAborted();
  throw new MemberError(
    'ERR_MEMBER_NOT_HEALTHY',
    `the member was not healthy in ${healthyTimeoutMs / 1000} s: ${why}; it is tried again, see osctl get kvstoremembers`,
  );
}
