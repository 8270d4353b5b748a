import test from 'ava';

import { unmark, warned } from './fixtures/marked.ts';
import { systemVolume, userVolume } from './fixtures/problems.ts';

const locked = userVolume('encryption: {provider: luks2, keys: [{nodeID: {}, lockToState: §true}]}');
const stateKey = 'encryption: {provider: luks2, keys: [{nodeID: {}}]}';

test('a key locked to a STATE that is not encrypted is a warning where it says so', (t) => {
  const { text, line, column } = unmark(locked);
  const warning = { code: 'key.lock_to_open_state', line, column };
  t.deepEqual(warned(text), [warning]);
  t.deepEqual(warned(`${text}---\n${systemVolume('STATE')}`), [warning]);
  t.deepEqual(warned(`${text}---\n${systemVolume('EPHEMERAL', stateKey)}`), [warning]);
});

test('a key locked to an encrypted STATE is what it should be, in any order of documents', (t) => {
  const { text } = unmark(locked);
  const state = systemVolume('STATE', stateKey);
  t.deepEqual(warned(`${text}---\n${state}`), []);
  t.deepEqual(warned(`${state}---\n${text}`), []);
  t.deepEqual(warned(text.replace('true', 'false')), []);
});

const sealed = userVolume(
  'encryption: {provider: luks2, keys: [{tpm: §{}}, {slot: 1, nodeID: {}}, {slot: 2, tpm: {}, lockToState: true}]}',
);

test('a TPM key that follows whatever STATE is there is a warning where STATE could hold it', (t) => {
  const { text, line, column } = unmark(sealed);
  const withState = `${text}---\n${systemVolume('STATE', stateKey)}`;
  t.deepEqual(warned(withState), [{ code: 'key.tpm_not_locked', line, column }]);
  t.deepEqual(warned(withState.replace('{tpm: {}}', '{tpm: {}, lockToState: true}')), []);
});

test('the TPM key of STATE itself can not be locked to it', (t) => {
  const keys = 'encryption: {provider: luks2, keys: [{tpm: {}}, {slot: 1, nodeID: {}}]}';
  t.deepEqual(warned(systemVolume('STATE', keys)), []);
});
