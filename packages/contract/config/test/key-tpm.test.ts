import test from 'ava';

import { parse, type KeyEntry } from '@nodecore/config';
import { userVolume } from './fixtures/problems.ts';

function keyOf(tpm: string): KeyEntry | undefined {
  using configuration = parse(
    userVolume(`encryption: {provider: luks2, keys: [{tpm: ${tpm}}, {slot: 1, nodeID: {}}]}`),
  );
  return configuration.all('UserVolumeConfig')[0]?.encryption?.keys[0];
}

test('a block that is not filled in binds PCR 7', (t) => {
  for (const tpm of ['{}', '{options: {}}', '{checkSecurebootStatusOnEnroll: false}']) {
    t.like(keyOf(tpm), { kind: 'tpm', pcrs: [7] }, tpm);
  }
});

test('only an empty list that somebody wrote binds no PCR', (t) => {
  t.deepEqual(keyOf('{options: {pcrs: []}}'), {
    slot: 0,
    lockToState: false,
    kind: 'tpm',
    pcrs: [],
    checkSecurebootStatusOnEnroll: false,
  });
});

test('PCRs come ascending and once, as a TPM digests them', (t) => {
  t.like(keyOf('{options: {pcrs: [11, 7, 0, 7, 2]}}'), { pcrs: [0, 2, 7, 11] });
});

test('the check of Secure Boot is kept', (t) => {
  t.like(keyOf('{checkSecurebootStatusOnEnroll: true}'), { checkSecurebootStatusOnEnroll: true, pcrs: [7] });
});
