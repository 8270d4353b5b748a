import test from 'ava';

import { refused, unmark, warned } from './fixtures/marked.ts';
import { accepted, block, node, refusals, warnings } from './fixtures/encryption-documents.ts';
import { codesOf } from './fixtures/problems.ts';

for (const [what, [code, marked]] of Object.entries(refusals)) {
  test(`refused where it stands: ${what}`, (t) => {
    const { text, line, column } = unmark(marked);
    t.deepEqual(refused(text), [{ code, line, column }]);
  });
}

for (const [what, text] of Object.entries(accepted)) {
  test(`accepted without a word: ${what}`, (t) => t.deepEqual(warned(text), []));
}

for (const [what, [code, marked]] of Object.entries(warnings)) {
  test(`accepted with a warning where it stands: ${what}`, (t) => {
    const { text, line, column } = unmark(marked);
    t.deepEqual(warned(text), [{ code, line, column }]);
  });
}

test('lists that two patches of one document add up to do not change what is bound', (t) => {
  t.deepEqual(codesOf(block(`${node}    - tpm: {options: {pcrs: [7, 7, 0, 7]}}\n`)), []);
  t.deepEqual(codesOf(block(`${node}${node}`)), ['key.slot_duplicate']);
  t.deepEqual(codesOf(block(node, '  options: [same_cpu_crypt, same_cpu_crypt]\n')), [
    'encryption.option_duplicate',
  ]);
});

test('every mistake of one entry is reported at once', (t) => {
  const entry =
    '{slot: 40, static: {passphrase: ""}, tpm: {options: {pcrs: [99]}}, kms: {endpoint: "ftp://a"}}';
  t.deepEqual(codesOf(block(`    - ${entry}\n`)), [
    'key.source_ambiguous',
    'key.slot_range',
    'key.passphrase_empty',
    'key.pcr_range',
    'key.kms_endpoint',
  ]);
});
