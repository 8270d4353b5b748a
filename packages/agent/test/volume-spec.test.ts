import test from 'ava';

import { volumeStatuses } from '../src/resources/definitions.ts';
import { volumeStatusSpec } from '../src/resources/volume-spec.ts';

test('a volume that waits says of every disk why it is not its place, beside the sentence in the table', (t) => {
  const candidates = [
    { disk: 'sdb', matched: true, reason: 'holds ntfs' },
    { disk: 'sdc', matched: false, reason: 'expression is false' },
  ];
  const reason = 'no disk can be used: sdb: holds ntfs; 1 other does not match';
  const spec = volumeStatusSpec({
    id: 'u-data',
    type: 'partition',
    phase: 'waiting',
    configuredEncryptionKeys: [],
    encryptionFailedSyncs: [],
    reason,
    candidates,
  });
  t.like(spec, { reason, candidates });
  t.true(volumeStatuses.printColumns.every(({ jsonPath }) => !jsonPath.includes('candidates')));
});
