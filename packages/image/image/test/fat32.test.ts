import { program, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import test from 'ava';

import { fat32, type FatFile } from '../src/index.ts';
import { judge, judgeBytes, written } from './tools.ts';

const mib = 1 << 20;
const file = (path: string, content = path): FatFile => ({ path, content: View.of(Buffer.from(content)) });
const judges = [program('fsck.vfat'), program('mdir'), program('mtype')];

testWith(...judges)('names of every kind are found again, with their content', async (t) => {
  const paths = [
    '/UPPER.TXT',
    '/lower.txt',
    '/Mixed.Name.With.Dots',
    '/nodeos-1.14.0~rc.1-12+3.efi',
    '/exactly-13-ch',
    `/${'long'.repeat(60)}.efi`,
    '/NODEOS~1.EFI',
    '/a/b/c/d/deep.txt',
    '/a/b/empty',
    '/nodeos~2.efi',
    '/.hidden',
  ];
  const files = paths.map((path) => file(path, path.endsWith('empty') ? '' : path));
  const path = await written(t, fat32({ recipe: 'r', sizeBytes: 64 * mib, label: 'TEST', files }));
  judge('fsck.vfat', '-n', path);
  for (const { path: name, content } of files) {
    t.true(judgeBytes('mtype', '-i', path, `::${name}`).equals(await content.bytes()), name);
  }
});

testWith(...judges)('a directory of many clusters is whole', async (t) => {
  const files = Array.from({ length: 700 }, (_, index) => file(`/d/nodeos-1.14.0-${index}.efi`, `${index}`));
  const path = await written(t, fat32({ recipe: 'r', sizeBytes: 64 * mib, label: 'TEST', files }));
  judge('fsck.vfat', '-n', path);
  t.is(judge('mdir', '-i', path, '-b', '::/d').trim().split('\n').length, 700);
  t.is(judgeBytes('mtype', '-i', path, '::/d/nodeos-1.14.0-699.efi').toString(), '699');
});

testWith(...judges)('a full one has its last byte, and one cluster more is refused', async (t) => {
  const make = (size: number): View =>
    fat32({
      recipe: 'r',
      sizeBytes: 48 * mib,
      label: 'TEST',
      files: [{ path: '/x', content: View.of({ kind: 'hole', size }) }],
    });
  let [fits, tooMuch] = [1, 48 * mib];
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    try {
      make(middle);
      fits = middle;
    } catch {
      tooMuch = middle;
    }
  }
  t.throws(() => make(tooMuch), { code: 'ERR_IMAGE_TOO_SMALL', message: /bytes are missing/ });
  const path = await written(t, make(fits));
  judge('fsck.vfat', '-n', path);
});

function sized(sizeBytes: number, size = 1): View {
  const files = [{ path: '/x', content: View.of({ kind: 'hole', size }) }] as const;
  return fat32({ recipe: 'r', sizeBytes, label: 'TEST', files });
}

test('sizes that no FAT32 has are refused', (t) => {
  t.throws(() => sized(32 * mib), { code: 'ERR_IMAGE_TOO_SMALL' });
  t.throws(() => sized(8192 * mib, 2 ** 32), { code: 'ERR_IMAGE_TOO_LARGE' });
  t.throws(() => sized(2 ** 42), { code: 'ERR_IMAGE_TOO_LARGE' });
});

test('names that FAT does not have are refused, and those that it does not tell apart', (t) => {
  for (const paths of [
    ['/a', '/A'],
    ['/a', '/a'],
    ['/a', '/a/b'],
    ['/a/b', '/a'],
    ['/x:y'],
    ['/x '],
    ['/x.'],
    ['/'],
    ['/a/../b'],
    ['/ä'],
    ['/x\0'],
    [`/${'x'.repeat(256)}`],
  ]) {
    const files = paths.map((path) => file(path));
    t.throws(
      () => fat32({ recipe: 'r', sizeBytes: 64 * mib, label: 'TEST', files }),
      { code: 'ERR_IMAGE_NAME' },
      paths.join(' '),
    );
  }
  t.throws(() => fat32({ recipe: 'r', sizeBytes: 64 * mib, label: 'lower', files: [] }), {
    code: 'ERR_IMAGE_NAME',
  });
});
