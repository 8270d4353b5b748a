import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, keyslots, LuksError, recoveryKey, testKey, tokens } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { cheap, cryptsetup, imageFile } from './image.ts';

/** No secret: an example in the form that systemd-cryptenroll prints. */
const example = 'vtdbkgni-jklnrtuv-cccccccc-vvvvvvvv-hfbtrknc-dgjlnukv-ecuvgbfi-tdrjklhn';

test('a recovery key is 256 bits in eight groups of eight letters', async (t) => {
  using made = recoveryKey.generate();
  using other = recoveryKey.generate();
  t.false(made.key.equals(other.key));
  let shown = '';
  await made.show((text) => {
    shown = Buffer.from(text).toString('latin1');
  });
  t.regex(shown, /^([cbdefghijklnrtuv]{8}-){7}[cbdefghijklnrtuv]{8}$/);
  t.true(made.key.bytes.equals(Buffer.from(shown)));
});

test('every value of a byte is shown, so all 256 bits count', (t) => {
  const seen = new Set<number>();
  for (let count = 0; count < 64; count += 1) {
    using made = recoveryKey.generate();
    for (const byte of made.key.bytes) seen.add(byte);
  }
  t.is(seen.size, 17); // sixteen letters and the dash
});

test('the text that was shown is overwritten afterwards', async (t) => {
  using made = recoveryKey.generate();
  let kept: Uint8Array = new Uint8Array(1);
  await made.show(async (text) => {
    kept = text;
    await Promise.resolve();
    t.notDeepEqual(kept, new Uint8Array(71));
  });
  t.deepEqual(Buffer.from(kept), Buffer.alloc(71));
  t.is(made.key.sizeBytes, 71);
});

for (const [title, typed] of Object.entries({
  'as it was shown': example,
  'in capitals': example.toUpperCase(),
  'without dashes': example.replaceAll('-', ''),
  'with spaces for dashes and a line end': `${example.replaceAll('-', ' ')}\r\n`,
  'over two lines with tabs': `\t${example.slice(0, 35)}\n\t${example.slice(35)}`,
  'in other groups': example.replaceAll('-', '').replaceAll(/(....)/g, '$1 - '),
})) {
  test(`a recovery key is read ${title}`, (t) => {
    using key = recoveryKey.parse(Buffer.from(typed));
    t.true(key.bytes.equals(Buffer.from(example)));
  });
}

for (const [title, [typed, message]] of Object.entries({
  nothing: ['', /: 0 letters in place of 64$/],
  'a letter too few': [example.slice(1), /: 63 letters in place of 64$/],
  'a letter too many': [`${example}c`, /: 65 letters in place of 64$/],
  'a letter of another alphabet': [example.replace('d', 'a'), /: letter 3 is none of cbdefghijklnrtuv$/],
  'a digit': [example.replace('d', '1'), /: letter 3 /],
  'a zero byte at the end': [`${example}\u000d\u0000`, /: letter 65 /],
  'bytes beyond ASCII': ['\u00e7'.repeat(64), /: letter 1 /],
} as const)) {
  test(`${title} is no recovery key`, (t) => {
    const error = t.throws(() => recoveryKey.parse(Buffer.from(typed)), {
      instanceOf: LuksError,
      code: 'ERR_LUKS_RECOVERY_KEY',
    });
    t.regex(error?.message ?? '', message);
    t.false(error?.message.includes(example.slice(0, 8)));
  });
}

testWith(program('cryptsetup'))('cryptsetup takes the text that was shown as a passphrase', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  using made = recoveryKey.generate();
  const slot = await keyslots.add(path, { existing: key, key: made.key, pbkdf: cheap });
  // Standard input without --key-file - is what a person types: it ends with the line.
  const typed = Secret.take(Buffer.concat([made.key.bytes, Buffer.from('\n')]));
  t.is((await cryptsetup(['open', '--test-passphrase', '--type', 'luks2', path], typed)).code, 0);
  const capitals = Buffer.from(made.key.bytes.toString('latin1').toUpperCase());
  using parsed = recoveryKey.parse(capitals);
  t.is(await testKey(path, { key: parsed }), slot);
});

testWith(program('cryptsetup'), program('systemd-cryptenroll'))(
  'a recovery key of systemd-cryptenroll is read, and opens',
  async (t) => {
    const path = await imageFile(t);
    using key = Secret.random(32);
    await format(path, { key, pbkdf: cheap });
    const keyFile = join(await temporaryDirectory(t), 'key');
    await writeFile(keyFile, key.bytes, { mode: 0o600 });
    const typed = await output([
      'systemd-cryptenroll',
      `--unlock-key-file=${keyFile}`,
      '--recovery-key',
      path,
    ]);
    using parsed = recoveryKey.parse(Buffer.from(typed));
    t.is(await testKey(path, { key: parsed }), 1);
    t.deepEqual(
      (await tokens.list(path)).map(({ json }) => [json.type, json.keyslots]),
      [['systemd-recovery', ['1']]],
    );
  },
);
