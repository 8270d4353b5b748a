import test from 'ava';

import { verdictOf } from '../src/hashes.ts';
import { describeMember, formatMemberId, KvstoreError, parseMemberId, type Member } from '../src/index.ts';

test('a member id is 16 hexadecimal digits, and is read back', (t) => {
  t.is(formatMemberId(0x8e9e05c52164694dn), '8e9e05c52164694d');
  t.is(formatMemberId(1n), '0000000000000001');
  t.is(parseMemberId('8E9E05c52164694d'), 0x8e9e05c52164694dn);
  for (const text of ['', 'x', '0x1', '-1', '8e9e05c52164694d0'])
    t.throws(() => parseMemberId(text), { instanceOf: KvstoreError, code: 'ERR_KVSTORE_INVALID' });
  t.is(describeMember({ id: 1n, name: '' }), 'member 0000000000000001');
  t.is(describeMember({ id: 1n, name: 'm1' }), 'member m1 (0000000000000001)');
});

test('hashes are compared where the same history was forgotten, and nothing is claimed otherwise', (t) => {
  const member: Member = { id: 1n, name: '', peerUrls: [], clientUrls: [], isLearner: false };
  const verdict = (...pairs: readonly [hash: number, compactRevision: bigint][]) =>
    verdictOf(pairs.map(([hash, compactRevision]) => ({ member, hash, compactRevision })));
  t.is(verdict([1, 5n], [1, 5n], [1, 5n]), 'equal');
  t.is(verdict([1, 5n], [1, 5n], [2, 5n]), 'different');
  t.is(verdict([1, 5n], [2, 4n]), 'unknown');
  t.is(verdict([1, 5n], [1, 5n], [3, 4n]), 'unknown');
  t.is(verdict([1, 5n], [2, 5n], [3, 4n]), 'different');
  t.is(verdict([1, 5n]), 'unknown');
});
