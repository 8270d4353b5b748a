import test from 'ava';

import type { VolumeStatus } from '@nodecore/volumes';

import { volumeStatuses } from '../src/volumes/definitions.ts';
import { volumeStatusSpec } from '../src/volumes/volume-spec.ts';

const waiting: VolumeStatus = {
  id: 'r-data',
  type: 'partition',
  phase: 'waiting',
  configuredEncryptionKeys: [],
  encryptionFailedSyncs: [],
};

test('of a raw volume is told how it was made blank', (t) => {
  const blank = { method: 'zeroes', doneBytes: 1n << 40n, encrypted: true } as const;
  t.like(volumeStatusSpec({ ...waiting, blank }), { blank });
});

test('a volume that waits says of every disk why it is not its place, beside the sentence in the table', (t) => {
  const candidates = [
    { disk: 'sdb', matched: true, reason: 'holds ntfs' },
    { disk: 'sdc', matched: false, reason: 'expression is false' },
  ];
  const reason = 'no disk can be used: sdb: holds ntfs; 1 other does not match';
  const spec = volumeStatusSpec({ ...waiting, reason, candidates });
  t.like(spec, { reason, candidates });
  t.true(volumeStatuses.printColumns.every(({ jsonPath }) => !jsonPath.includes('candidates')));
});

test('a volume that has failed says so where one that waits says why: in the last column of the table', (t) => {
  const errorMessage = 'mkfs.xfs on /dev/vda5: EIO';
  const failed = { ...waiting, phase: 'failed', errorCode: 'ERR_VOLUME_FAILED', errorMessage } as const;
  t.like(volumeStatusSpec(failed), { reason: errorMessage, errorMessage });
  t.like(volumeStatusSpec({ ...failed, reason: 'needs a reboot' }), {
    reason: 'needs a reboot',
    errorMessage,
  });
  t.deepEqual(volumeStatuses.printColumns.at(-1), { name: 'Reason', jsonPath: '$.reason' });
});

test('an encrypted volume says what a guess at each of its keyslots costs', (t) => {
  const spec = volumeStatusSpec({
    id: 'u-data',
    type: 'partition',
    phase: 'ready',
    configuredEncryptionKeys: ['static'],
    encryptionFailedSyncs: [],
    encryptionKeyslots: [
      { slot: 0, type: 'argon2id', iterations: 4, memoryKib: 1_048_576, parallel: 2 },
      { slot: 1, type: 'pbkdf2', iterations: 1000, hash: 'sha256' },
    ],
  });
  t.deepEqual((JSON.parse(JSON.stringify(spec)) as Record<string, unknown>)['encryptionKeyslots'], [
    { slot: 0, type: 'argon2id', iterations: 4, memoryKib: 1_048_576, parallel: 2 },
    { slot: 1, type: 'pbkdf2', iterations: 1000 },
  ]);
});
