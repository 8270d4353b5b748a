import test from 'ava';

import { refused, unmark, warned } from './fixtures/marked.ts';
import { codesOf, systemVolume, userVolume } from './fixtures/problems.ts';

/** Block style, as people write it; `§` marks the place that must be named. */
const block = (keys: string, more = ''): string =>
  userVolume(`encryption:\n  provider: luks2\n  keys:\n${keys}${more}`);
const state = (keys: string): string =>
  systemVolume('STATE', `encryption:\n  provider: luks2\n  keys:\n${keys}`);
const node = '    - slot: 9\n      nodeID: {}\n';

const refusals: Record<string, readonly [code: string, marked: string]> = {
  'a slot below 0': ['key.slot_range', block('    - slot: §-1\n      nodeID: {}\n')],
  'a slot above 31': ['key.slot_range', block('    - nodeID: {}\n      slot: §32\n')],
  'a slot used above': ['key.slot_duplicate', block(`${node}    - {tpm: {}, slot: §9}\n`)],
  'the default slot used twice': ['key.slot_duplicate', block('    - nodeID: {}\n    - §tpm: {}\n')],
  'a key without a source': ['key.source_required', block('    - §slot: 3\n')],
  'a key with two sources': ['key.source_ambiguous', block('    - §nodeID: {}\n      tpm: {}\n')],
  'a key with four sources': [
    'key.source_ambiguous',
    block('    - §{nodeID: {}, tpm: {}, static: {passphrase: x}, kms: {endpoint: "grpcs://a"}}\n'),
  ],
  'an empty passphrase': ['key.passphrase_empty', block("    - static:\n        passphrase: §''\n")],
  'a PCR above 23': ['key.pcr_range', block('    - tpm: {options: {pcrs: [7, §24]}}\n')],
  'a PCR below 0': [
    'key.pcr_range',
    block('    - tpm:\n        options:\n          pcrs:\n            - §-1\n'),
  ],
  'a PCR that is no number': ['wrong_type', block('    - tpm: {options: {pcrs: [§"7"]}}\n')],
  'an endpoint that is missing': ['required', block('    - kms: §{}\n')],
  'a key size that AES does not take': ['encryption.key_size', block(node, '  keySize: §128\n')],
  'a key size that Adiantum does not take': [
    'encryption.key_size',
    block(node, '  cipher: xchacha12,aes-adiantum-plain64\n  keySize: §512\n'),
  ],
  'an encryption sector that is no power of two': [
    'encryption.block_size',
    block(node, '  blockSize: §1000\n'),
  ],
  'an encryption sector above a page': ['encryption.block_size', block(node, '  blockSize: §8192\n')],
  'an option twice': [
    'encryption.option_duplicate',
    block(node, '  options:\n    - same_cpu_crypt\n    - no_read_workqueue\n    - §same_cpu_crypt\n'),
  ],
  'an option that does not exist': ['invalid_value', block(node, '  options: [§fast]\n')],
  'a cipher that does not exist': ['invalid_value', block(node, '  cipher: §cipher_null-ecb\n')],
  'STATE with a passphrase': ['key.static_on_state', state('    - static: §{passphrase: x}\n')],
  'STATE locked to itself': [
    'key.lock_to_state_on_state',
    state('    - nodeID: {}\n      lockToState: §true\n'),
  ],
};

for (const [what, [code, marked]] of Object.entries(refusals)) {
  test(`refused where it stands: ${what}`, (t) => {
    const { text, line, column } = unmark(marked);
    t.deepEqual(refused(text), [{ code, line, column }]);
  });
}

const accepted: Record<string, string> = {
  'the first and the last slot': block('    - {slot: 0, nodeID: {}}\n    - {slot: 31, nodeID: {}}\n'),
  'all 32 slots': block(
    Array.from({ length: 32 }, (_, slot) => `    - {slot: ${slot}, nodeID: {}}\n`).join(''),
  ),
  'a passphrase of one character': block('    - static: {passphrase: " "}\n'),
  'the first and the last PCR': block(`${node}    - tpm: {options: {pcrs: [0, 22]}}\n`),
  'AES with 256 bits': block(node, '  cipher: aes-xts-plain64\n  keySize: 256\n'),
  'Adiantum with 256 bits': block(node, '  cipher: xchacha20,aes-adiantum-plain64\n  keySize: 256\n'),
  'a sector of 512 bytes': block(node, '  blockSize: 512\n'),
  'a sector of 4096 bytes': block(node, '  blockSize: 4096\n'),
  'every option once': block(node, '  options: [same_cpu_crypt, no_read_workqueue, no_write_workqueue]\n'),
  'a TPM and the node on STATE': state(`    - tpm: {}\n${node}`),
  'STATE that says it is not locked to itself': state('    - {nodeID: {}, lockToState: false}\n'),
};

for (const [what, text] of Object.entries(accepted)) {
  test(`accepted without a word: ${what}`, (t) => t.deepEqual(warned(text), []));
}

const warnings: Record<string, readonly [code: string, marked: string]> = {
  'PCRs out of order': ['key.pcr_order', block(`${node}    - tpm: {options: {pcrs: §[7, 4]}}\n`)],
  'a PCR given twice': ['key.pcr_order', block(`${node}    - tpm: {options: {pcrs: §[4, 7, 7]}}\n`)],
  'no PCR': ['key.pcr_none', block(`${node}    - tpm: {options: {pcrs: §[]}}\n`)],
  'a PCR that anybody resets': [
    'key.pcr_resettable',
    block(`${node}    - tpm: {options: {pcrs: [7, §16]}}\n`),
  ],
  'Secure Boot looked at once': [
    'key.secure_boot_unbound',
    block(`${node}    - tpm: {options: {pcrs: [0]}, checkSecurebootStatusOnEnroll: §true}\n`),
  ],
  'a TPM alone': ['encryption.tpm_only', block('    §- tpm: {}\n')],
  'two TPM keys and nothing else': [
    'encryption.tpm_only',
    block('    §- tpm: {}\n    - {slot: 1, tpm: {}}\n'),
  ],
  'a key server for STATE': ['key.kms_on_state', state('    - kms: {endpoint: §"grpcs://kms.example"}\n')],
  'a key server without TLS': ['key.kms_plaintext', block('    - kms: {endpoint: §grpc://kms.example}\n')],
  'a key server with no scheme': ['key.kms_plaintext', block('    - kms: {endpoint: §kms.example}\n')],
};

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
