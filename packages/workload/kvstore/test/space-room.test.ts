import test from 'ava';

import type { ClusterView } from '../src/index.ts';
import { assertRoom } from '../src/space-room.ts';

/** A cluster of one, whose file has that size. */
function clusterOf(dbSizeBytes: bigint, dbQuotaBytes?: bigint): ClusterView {
  const member = { id: 7n, name: 'one', peerUrls: [], clientUrls: [], isLearner: false };
  const status = { dbSizeBytes, dbQuotaBytes };
  return { members: [{ member, status }], leaderId: 7n } as unknown as ClusterView;
}

test('an alarm goes when a tenth of the quota is free, and not before', (t) => {
  const before = clusterOf(1_000n);
  const judge = (bytes: bigint, quotaBytes?: bigint, own?: bigint, why?: string) => () =>
    assertRoom(before, clusterOf(bytes, own), 7n, { quotaBytes, why });
  const full = { code: 'ERR_KVSTORE_REFUSED', message: /delete keys or raise its quota/ };
  t.notThrows(judge(900n, 1_000n));
  t.throws(judge(901n, 1_000n), full);
  t.throws(judge(999n, 1_000n), full);
  t.notThrows(judge(900n), 'without a quota, the size that it reached is one');
  t.throws(judge(901n), full);
  t.notThrows(judge(901n, 1_000n, 2_000n), 'what the member says counts');
  t.throws(judge(901n, 2_000n, 1_000n), full);
  t.throws(judge(950n, 1_000n, undefined, 'its disk is full'), { message: /its disk is full/ });
  t.notThrows(() => assertRoom(before, before, 8n, { quotaBytes: 1n, why: undefined }), 'it was removed');
});
