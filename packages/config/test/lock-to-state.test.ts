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
