import { format, header, keyslots, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';

import { cheap, cheapArguments, cryptsetup, imageFile } from './image.ts';

const testWithProgram = testWith(program('cryptsetup'));

testWithProgram('the cryptsetup program opens what we format, and keys we add', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  using second = Secret.random(64);
  await format(path, { key, pbkdf: cheap });
  await keyslots.add(path, { existing: key, key: second, pbkdf: cheap });
  const open = ['open', '--test-passphrase', '--type', 'luks2', path, '--key-file', '-'];
  t.is((await cryptsetup(open, key)).code, 0);
  t.is((await cryptsetup(open, second)).code, 0);
  using wrong = Secret.random(32);
  t.is((await cryptsetup(open, wrong)).code, 2);
});

testWithProgram('we open what the cryptsetup program formats, and keys it adds', async (t) => {
  const path = await imageFile(t);
  using key = Secret.copy(Buffer.from('a passphrase that a person types'));
  const args = [
    'luksFormat',
    '--type',
    'luks2',
    '--key-slot',
    '2',
    '--label',
    'disk',
    '--sector-size',
    '4096',
  ];
  t.is((await cryptsetup([...args, ...cheapArguments, path, '--key-file', '-'], key)).code, 0);
  t.is(await testKey(path, { key }), 2);
  const read = await header.read(path);
  t.is(read?.label, 'disk');
  t.is(read?.sectorSize, 4096);
});

testWithProgram('luksDump agrees with our header', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const made = await format(path, {
    key,
    pbkdf: cheap,
    label: 'u-data',
    subsystem: 'nodecore',
    sectorSize: 2048,
  });
  const { stdout } = await cryptsetup(['luksDump', path]);
  const field = (name: string): string | undefined =>
    new RegExp(`^\\s*${name}:\\s*(.*)$`, 'm').exec(stdout)?.[1];
  t.is(field('Version'), '2');
  t.is(field('UUID'), made.uuid);
  t.is(field('Label'), 'u-data');
  t.is(field('Subsystem'), 'nodecore');
  t.is(field('cipher'), made.cipher);
  t.is(field('sector'), '2048 [bytes]');
  t.is(field('offset'), '16777216 [bytes]');
  t.is(field('Key'), '512 bits');
  t.is(field('PBKDF'), 'argon2id');
});
