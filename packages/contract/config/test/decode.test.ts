import test from 'ava';

import { ConfigError, decode, formatProblem, parse } from '@nodecore/config';
import { codesOf, userVolume } from './fixtures/problems.ts';

const locked = (passphrase: string): string =>
  userVolume(`encryption:\n  provider: luks2\n  keys:\n    - static: {passphrase: ${passphrase}}\n`);

/** The bytes that open the volume. */
function passphraseOf(text: Uint8Array): string {
  using configuration = parse(decode(text));
  const key = configuration.all('UserVolumeConfig')[0]?.encryption?.keys[0];
  return key?.kind === 'static' ? key.passphrase.bytes.toString('hex') : '';
}

test('a passphrase has the bytes that were written', (t) => {
  for (const passphrase of ['caf\u00e9', 'cafe\u0301', '\u{1F980}', '\u{FFFD}', 'a\u00a0b'])
    t.is(passphraseOf(Buffer.from(locked(passphrase))), Buffer.from(passphrase).toString('hex'));
  t.is(passphraseOf(Buffer.from(locked(String.raw`"\ud83e\udd80"`))), 'f09fa680');
});

test('a byte order mark before a configuration is no part of it', (t) => {
  t.is(passphraseOf(Buffer.from(`\uFEFF${locked('x')}`)), '78');
});

test('bytes that are not UTF-8 are refused with their line and column, and not shown', (t) => {
  const [before = '', after = ''] = locked('caf§').split('§');
  const bytes = Buffer.concat([Buffer.from(before), Buffer.of(0xe9, 0xe8), Buffer.from(after)]);
  const error = t.throws(() => decode(bytes, { file: 'node.yaml' }), { instanceOf: ConfigError });
  t.is(error.code, 'ERR_CONFIG_INVALID');
  const line = before.split('\n').length;
  const column = (before.split('\n').at(-1) ?? '').length + 1;
  t.deepEqual(error.problems.map(formatProblem), [
    `node.yaml:${line}:${column}: this byte is not part of a UTF-8 text: save it as UTF-8 (text.encoding)`,
  ]);
});

test('half of a character, which has no bytes, is refused wherever it stands', (t) => {
  t.deepEqual(codesOf(locked(String.raw`"\ud83e"`)), ['yaml.surrogate']);
  t.deepEqual(codesOf(locked(String.raw`"\udd80\ud83e"`)), ['yaml.surrogate']);
  t.deepEqual(codesOf(locked('x\uD83E')), ['yaml.surrogate']);
});
