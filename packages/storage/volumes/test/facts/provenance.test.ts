import type { Partition } from '@nodecore/block';
import test from 'ava';

import type { Content } from '../../src/facts/content.ts';
import type { IntentRecord } from '../../src/index.ts';
import { markOf, newNonce, partitionMark, provenanceOf, uuidFor } from '../../src/facts/provenance.ts';

const nonce = newNonce();
const mark = { volumeId: 'u-data', nonce };
const luks = (uuid: string): Content => ({ kind: 'luks', uuid, label: 'u-data' });
const xfs = (uuid: string): Content => ({ kind: 'filesystem', type: 'xfs', uuid, label: 'u-data' });
const swap = (uuid: string): Content => ({ kind: 'swap', uuid, label: 'u-data' });
const empty: Content = { kind: 'empty' };
const unknown: Content = { kind: 'unknown', reasons: ['its first MiB has data'] };
const other: Content = { kind: 'other', names: ['xfs', 'raid'] };
const ours = { luks: uuidFor(mark, 'luks'), filesystem: uuidFor(mark, 'filesystem') };

for (const [title, content, isMarked, expected] of [
  ['nothing, and no mark', empty, false, 'blank'],
  ['the mark alone', empty, true, 'begun'],
  ['the mark, and what is torn', unknown, true, 'begun'],
  ['the mark, and our header', luks(ours.luks), true, 'begun'],
  ['the mark, and our filesystem', xfs(ours.filesystem), true, 'begun'],
  ['the mark, and our swap space', swap(ours.filesystem), true, 'begun'],
  ['the mark, and a header of somebody else', luks('theirs'), true, 'foreign'],
  ['the mark, and a filesystem with our label', xfs('theirs'), true, 'foreign'],
  ['the mark, and what contradicts itself', other, true, 'foreign'],
  ['no mark, and bytes that nobody knows', unknown, false, 'foreign'],
  ['no mark, and a filesystem with our label', xfs('theirs'), false, 'foreign'],
  ['no mark, and a header with our label', luks('theirs'), false, 'foreign'],
  ['no mark, and swap space with our label', swap('theirs'), false, 'foreign'],
  ['no mark, and what contradicts itself', other, false, 'foreign'],
  ['no mark, and our header', luks(ours.luks), false, 'made'],
  ['no mark, and our filesystem', xfs(ours.filesystem), false, 'made'],
  ['no mark, and our swap space', swap(ours.filesystem), false, 'made'],
  ['no mark, and a header with the UUID of our filesystem', luks(ours.filesystem), false, 'foreign'],
] as const) {
  test(`${title}: ${expected}`, (t) => {
    t.is(provenanceOf(content, mark, isMarked), expected);
    if (!isMarked)
      t.is(provenanceOf(content, undefined, false), content.kind === 'empty' ? 'blank' : 'foreign');
  });
}

test('every attempt on a disk has a nonce and UUIDs of its own', (t) => {
  t.regex(nonce, /^[0-9a-f]{32}$/);
  t.not(newNonce(), nonce);
  const again = { volumeId: 'u-data', nonce: newNonce() };
  const another = { volumeId: 'u-logs', nonce };
  const uuids = [mark, again, another].flatMap((one) => [uuidFor(one, 'luks'), uuidFor(one, 'filesystem')]);
  t.is(new Set(uuids).size, 6);
  for (const uuid of uuids)
    t.regex(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a disk is known by the nonce of its record, a partition by its GUID', (t) => {
  const disk = { wwid: '', serial: '', model: '', size: 1n, busPath: '/virtual', devPath: '/dev/loop0' };
  const record: IntentRecord = { volumeId: 'u-data', type: 'disk', disk, phase: 'constructing' };
  t.is(markOf('u-data', {}, undefined), undefined);
  t.is(markOf('u-data', {}, record), undefined, 'of a record without a nonce nothing is known');
  t.deepEqual(markOf('u-data', {}, { ...record, nonce }), mark);
  const partition = { partitionGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4' } as Partition;
  t.deepEqual(
    markOf('u-data', { partition }, { ...record, nonce }),
    partitionMark('u-data', partition.partitionGuid),
  );
  t.is(partitionMark('u-data', partition.partitionGuid).nonce, '0fc63daf848347728e793d69d8477de4');
});
