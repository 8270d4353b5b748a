import test from 'ava';

import { ConfigError, redact, restoreSecrets } from '@nodecore/config';
import { userVolume } from './fixtures/problems.ts';

const keyed = (name: string, passphrase: string): string =>
  userVolume(
    `encryption:\n  provider: luks2\n  keys:\n    - slot: 1\n      static:\n        passphrase: ${passphrase}\n    - slot: 0\n      nodeID: {}`,
  ).replace('name: data', `name: ${name}`);

test('what was hidden comes back as it was, and the rest as it is now', (t) => {
  for (const passphrase of ['correct horse battery staple', '"with \\" quotes"', "'it''s'", 'a,b']) {
    const text = keyed('data', passphrase);
    const edited = redact(text).replace('slot: 0', 'slot: 3');
    t.false(edited.includes(passphrase));
    const restored = restoreSecrets(edited, text);
    t.is(restored.replace('"a,b"', 'a,b'), text.replace('slot: 0', 'slot: 3'));
  }
});

test('what was hidden comes back also where an editor has written it with escapes', (t) => {
  const text = keyed('data', 'secret');
  const edited = redact(text).replace('"******"', '"\\x2a\\u002a****"');
  t.true(edited.includes('\\x2a'));
  t.is(restoreSecrets(edited, text), text);
});

test('a secret in a comment comes back, also one of several that look the same', (t) => {
  const text = `${keyed('data', 'secret')}# passphrase: first\n# passphrase: second\n`;
  const edited = redact(text);
  t.false(edited.includes('first'));
  t.is(restoreSecrets(edited, text), text);
  t.is(restoreSecrets(edited.replace('slot: 0', 'slot: 3'), text), text.replace('slot: 0', 'slot: 3'));
});

test('a secret of several lines comes back with the same value', (t) => {
  const text = keyed('data', '|\n          one\n          two\n');
  const restored = restoreSecrets(redact(text), text);
  t.true(restored.includes('passphrase: "one\\ntwo\\n"'), restored);
});

test('a secret is found by document and slot, wherever it stands now', (t) => {
  const text = `${keyed('data', 'first')}---\n${keyed('logs', 'second')}`;
  const [data = '', logs = ''] = redact(text).split('---\n');
  const restored = restoreSecrets(`${logs}---\n${data}`, text);
  t.is(restored, `${keyed('logs', 'second')}---\n${keyed('data', 'first')}`);
});

test('a new secret stays, and a hidden one that nobody has is a problem at its place', (t) => {
  const text = keyed('data', 'old');
  t.is(restoreSecrets(keyed('data', 'new'), text), keyed('data', 'new'));
  const error = t.throws(() => restoreSecrets(redact(keyed('other', 'x')), text), {
    instanceOf: ConfigError,
  });
  t.like(error.problems[0], {
    code: 'secret.hidden',
    document: 'UserVolumeConfig/other',
    line: 10,
    column: 21,
  });
});

test('a text that can not be read is left to the parser', (t) => {
  t.is(restoreSecrets('a: [', ''), 'a: [');
});
