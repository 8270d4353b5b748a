import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { LineFile } from '../src/server/line-file.ts';

function line(letter: string): string {
  return `${letter.repeat(3_000)}\n`;
}

testWith(root)('a line that was torn by a full disk does not take the next one with it', async (t) => {
  const disk = join(await temporaryDirectory(t), 'disk');
  await mkdir(disk);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk]);
  t.teardown(() => output(['umount', disk]));
  await writeFile(join(disk, 'other'), Buffer.alloc(4096)); // one page is left
  const path = join(disk, 'log');
  const file = await LineFile.open(path);
  file.write(line('a'));
  await file.written();
  file.write(line('b'));
  await t.throwsAsync(file.written(), { code: 'ERR_KMS_AUDIT', message: /ENOSPC/ });
  await rm(join(disk, 'other'));
  file.write(line('c'));
  await file.written();
  await file.close();
  const lines = (await readFile(path, 'utf8')).split('\n');
  t.is(lines[0], 'a'.repeat(3_000));
  t.is(lines.at(-2), 'c'.repeat(3_000));
});
