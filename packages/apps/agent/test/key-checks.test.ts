import { parse } from '@nodecore/config';
import type { KeyFailure } from '@nodecore/keys';
import test from 'ava';

import { checkKeys, type TryKeys } from '../src/configuration/key-checks.ts';
import { authority, rootDocument } from './documents.ts';

const root = rootDocument(await authority());

function configuration(keys: string) {
  return parse(`${root}---
apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning: {diskSelector: {match: 'true'}, minSize: 100MiB}
encryption: {provider: luks2, keys: [${keys}]}
`);
}

const tpm = '{slot: 0, tpm: {}}';
const kms = '{slot: 1, kms: {endpoint: "grpcs://kms.example:4050"}}';
const node = '{slot: 2, nodeID: {}}';

function failing(...codes: readonly string[]): TryKeys {
  return async (_id, keys) =>
    keys.flatMap(({ slot, kind }, index): KeyFailure[] => {
      const code = codes[index];
      return code === undefined ? [] : [{ slot, kind, code, message: 'no answer', permanence: 'transient' }];
    });
}

test('only sealed keys that the node does not have yet are tried', async (t) => {
  const tried: (readonly [string, readonly number[]])[] = [];
  const note: TryKeys = async (id, keys) => {
    tried.push([id, keys.map(({ slot }) => slot)]);
    return [];
  };
  t.deepEqual(await checkKeys(configuration(`${tpm}, ${kms}, ${node}`), undefined, note), []);
  await checkKeys(configuration(`${tpm}, ${kms}`), configuration(tpm), note);
  t.deepEqual(tried, [
    ['u-data', [0, 1]],
    ['u-data', [1]],
  ]);
});

test('a key server that does not answer is a doubt that names volume, slot and kind', async (t) => {
  const doubts = await checkKeys(configuration(kms), undefined, failing('ERR_KMS_UNREACHABLE'));
  t.deepEqual(doubts, ['UserVolumeConfig/data: kms key of slot 1: no answer']);
});

test('a volume that only a TPM would open is refused on a machine without one', async (t) => {
  const error = await t.throwsAsync(checkKeys(configuration(tpm), undefined, failing('ERR_TPM_NOT_FOUND')), {
    code: 'ERR_APPLY_REFUSED',
  });
  t.regex(error.message, /UserVolumeConfig\/data: has keys of the TPM only/);
  const doubts = await checkKeys(configuration(`${tpm}, ${node}`), undefined, failing('ERR_TPM_NOT_FOUND'));
  t.is(doubts.length, 1);
});
