import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Store } from '@nodecore/state';
import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { pino } from 'pino';
import { parse } from 'yaml';

import { takeSalt } from '../src/keys/salt-keeper.ts';
import { decodeSalt, encodeSalt } from '../src/persistence/encryption-salt.ts';
import { StateDirectory } from '../src/persistence/state-directory.ts';
import { Catalog } from '../src/resources/catalog.ts';
import { encryptionSalts } from '../src/keys/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';

const numbers = [0, 255, 100, 7, ...Array.from({ length: 28 }, (_, index) => index * 9)];
const salt = (): Secret => Secret.take(Uint8Array.from(numbers));

test('the salt is a YAML list of numbers, read back in either style', (t) => {
  using text = encodeSalt(salt());
  t.deepEqual(parse(text.bytes.toString()), { diskSalt: numbers });
  const texts = [
    text.bytes.toString(),
    `diskSalt: [${numbers.join(', ')}]`,
    `diskSalt:\n- ${numbers.join('\n- ')}`,
  ];
  for (const each of texts) {
    using read = decodeSalt(Buffer.from(each), 'salt');
    t.true(read.equals(salt()), each);
  }
});

for (const [title, text] of [
  ['nothing', ''],
  ['another mapping', 'other:\n  - 1\n'],
  ['a number too few', `diskSalt: [${numbers.slice(1).join()}]`],
  ['a number too many', `diskSalt: [${numbers.join()}, 1]`],
  ['a number too large', `diskSalt: [${numbers.with(3, 256).join()}]`],
  ['a fraction', `diskSalt: [${numbers.join()}.5]`],
  ['text', 'diskSalt: geheimnis'],
] as const)
  test(`${title} is no salt, and the error does not show it`, (t) => {
    const error = t.throws(() => decodeSalt(Buffer.from(text), '/state/salt'), { code: 'ERR_STATE_DAMAGED' });
    t.false(error.message.includes('geheimnis'));
  });

test('the salt is made once in the life of STATE, for its owner only; a damaged one is never replaced', async (t) => {
  const path = await temporaryDirectory(t);
  const directory = await StateDirectory.open(path);
  using first = await directory.encryptionSalt();
  using again = await (await StateDirectory.open(path)).encryptionSalt();
  t.is(first.sizeBytes, 32);
  t.true(first.equals(again));
  const file = join(path, 'encryption-salt.yaml');
  t.is((await stat(file)).mode & 0o777, 0o600);
  await writeFile(file, 'diskSalt: [1]\n');
  await t.throwsAsync(directory.encryptionSalt(), { code: 'ERR_STATE_DAMAGED' });
  t.is(await readFile(file, 'utf8'), 'diskSalt: [1]\n');
});

test('what is published and logged tells one salt from another, and is not the salt', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const store = new Store();
  new Catalog([encryptionSalts]).publish(store);
  const directory = await StateDirectory.open(await temporaryDirectory(t));
  using taken = await takeSalt(directory, { store, log });
  const [resource] = store.list(kindOf(encryptionSalts)).resources;
  const shown = JSON.stringify(resource?.spec) + lines.join();
  t.regex(shown, /"digest":"[0-9a-f]{64}"/);
  for (const encoding of ['hex', 'base64'] as const) t.false(shown.includes(taken.bytes.toString(encoding)));
  t.true(encryptionSalts.sensitive);
});
