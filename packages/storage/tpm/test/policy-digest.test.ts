import test from 'ava';

import { normalizePcrs } from '../src/banks.ts';
import { policyDigest } from '../src/index.ts';
import { digestOf } from '../src/policy-digest.ts';
import { hex } from './software.ts';

const keyName = Buffer.concat([
  Buffer.from([0x00, 0x0b]),
  Buffer.from(Array.from({ length: 32 }, (_, n) => n)),
]);
const seven = new Uint8Array(32).fill(0x11);
const one = new Uint8Array(32).fill(0x22);

function of(...values: readonly (readonly [number, Uint8Array])[]): string {
  return hex(digestOf({ keyName, bank: 'sha256', values: new Map(values), pin: false }));
}

// Computed independently from the rules of TPM 2.0 Part 3.
test('digests are those of vectors computed elsewhere', (t) => {
  t.is(of(), '3c2dab7276081bc296d40691314626af563749e6640a111387d7b1e402a8a2c0');
  t.is(of([7, seven]), '991b7d959b791c7be02cf7762d2e0cd624060f2210a625a83c9e0e68f5804bfa');
  const both = 'b53a3ca4aab7c3bc41a0cdca6912033256360b1d6795223700783ba8087f35c5';
  t.is(of([1, one], [7, seven]), both);
  t.is(of([7, seven], [1, one]), both);
});

test('the state of a unified kernel image has the digest that is signed', (t) => {
  const value = Buffer.from('47c37960df05b047faba985f8a0c43cbe49197613b53b6a1b1aa153febad4099', 'hex');
  t.is(
    hex(policyDigest({ pcrs: [11] }, new Map([[11, value]]))),
    'aa4a6cd103a082d4ab5ce83eda8929cd78f49fa6755d18b5ce43926a58d8beef',
  );
});

test('a policy without conditions has the digest of a session that took no step', (t) => {
  t.is(hex(policyDigest({ pcrs: [] }, new Map([[7, seven]]))), '00'.repeat(32));
});

test('registers are sorted and each counts once; what is none is refused', (t) => {
  t.deepEqual(normalizePcrs([7, 1, 7, 0]), [0, 1, 7]);
  for (const pcr of [-1, 24, 1.5, Number.NaN]) {
    t.throws(() => normalizePcrs([pcr]), { code: 'ERR_TPM_UNSUPPORTED' });
  }
  t.throws(() => policyDigest({ pcrs: [3] }, new Map([[7, seven]])), { code: 'ERR_TPM_UNSUPPORTED' });
});
