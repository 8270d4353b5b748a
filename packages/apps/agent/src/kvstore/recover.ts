import { access, constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { restoreSnapshot } from '@nodecore/kvstore';

import type { DataDirectory } from './data-directory.ts';
import { MemberError } from './errors.ts';
import type { Member } from './member.ts';
import { requireReplaceable, requireUnwritten } from './replaceable.ts';

export type RecoverOptions = {
  /** The snapshot has no digest, or a wrong one; its structure is proven all the same. */
  readonly skipHashCheck: boolean;
  /** How far ahead of the snapshot revisions begin; 0: where it ends. */
  readonly revisionBump: bigint;
  /** Which snapshot is meant, hexadecimal; undefined: the one that was uploaded last. */
  readonly sha256?: string;
};

/**
 * Makes the uploaded snapshot this member's data, of a new cluster that has no other member. What was there is kept until
 * the new member is healthy.
 *
 * @throws {MemberError} `ERR_MEMBER_NO_SNAPSHOT`, `ERR_MEMBER_HAS_DATA`
 * @throws {KvstoreError} of the snapshot; then nothing has changed.
 */
export async function restore(
  member: Member,
  directory: DataDirectory,
  { skipHashCheck, revisionBump, sha256 }: RecoverOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!(await directory.hasSnapshot())) {
    const message = 'no snapshot was sent to recover from: osctl bootstrap --recover-from FILE';
    throw new MemberError('ERR_MEMBER_NO_SNAPSHOT', message);
  }
  await requireReplaceable(member, directory);
  const { name, peerUrl } = member.self();
  const token = crypto.randomUUID();
  const etcdutl = await etcdutlBeside(member.program);
  await member.interrupt(async () => {
    await requireUnwritten(directory);
    await restoreSnapshot({
      file: directory.snapshot,
      dataDirectory: directory.data,
      name,
      cluster: { members: { [name]: [peerUrl] }, token },
      replace: true, // it was asked, and nothing runs
      skipHashCheck,
      sha256,
      ...(revisionBump > 0n && { bumpRevision: revisionBump, markCompacted: true }),
      etcdutl,
      signal,
    });
    // From here on it is not settled: another recovery may take its place.
    await directory.begin({ state: 'new', members: [`${name}=${peerUrl}`], token });
    await directory.forgetLeaving();
  });
}

/** They come together; in the path there may be another version. */
export async function etcdutlBeside(program: string): Promise<string> {
  if (!program.includes('/')) return 'etcdutl';
  const beside = join(dirname(program), 'etcdutl');
  try {
    await access(beside, constants.X_OK);
    return beside;
  } catch {
    return 'etcdutl';
  }
}
