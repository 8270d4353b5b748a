import { KvstoreError } from './errors.ts';
import type { ClusterView } from './inspect.ts';
import { describeMember, formatMemberId } from './members.ts';

/** A file that fills more than this share of its quota is as good as full: the next writes would raise the alarm again. */
const fullShare = 0.9;

/**
 * After a member's file was made smaller: whether that was enough, so that its alarm may go.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_REFUSED` with what to do
 */
export function assertRoom(
  before: ClusterView,
  after: ClusterView,
  memberId: bigint,
  { quotaBytes, why }: { quotaBytes: bigint | undefined; why: string | undefined },
): void {
  const [old, now] = [before, after].map(
    ({ members }) => members.find(({ member }) => member.id === memberId)?.status,
  );
  if (old === undefined || now === undefined) return; // removed, or down: its alarm hinders the others all the same
  const quota = now.dbQuotaBytes ?? quotaBytes ?? old.dbSizeBytes;
  if (Number(now.dbSizeBytes) <= Number(quota) * fullShare) return;
  // Where there was no room for its defragmentation, that is what is missing.
  const message =
    why ??
    `has ${now.dbSizeBytes} bytes after compaction and defragmentation, and had ${old.dbSizeBytes}; ` +
      'delete keys or raise its quota (--quota-backend-bytes), then do this again';
  const target = after.members.find(({ member }) => member.id === memberId);
  const subject = target === undefined ? formatMemberId(memberId) : describeMember(target.member);
  throw new KvstoreError('ERR_KVSTORE_REFUSED', subject, message);
}
