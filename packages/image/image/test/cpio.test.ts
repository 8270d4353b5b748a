import { mkdir, readFile, stat } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import test from 'ava';

import { cpio } from '../src/index.ts';

testWith(program('cpio'))('an archive is unpacked as it was meant', async (t) => {
  const content = Buffer.from('text of 13 b.');
  const archive = cpio([
    { kind: 'file', path: '/init', mode: 0o755, content: View.of(content) },
    { kind: 'file', path: '/layers/schematic/system/meta.json', content: View.of(Buffer.from('{}')) },
    { kind: 'directory', path: '/layers/empty', mode: 0o700 },
    { kind: 'file', path: '/rootfs.sqsh', content: View.of({ kind: 'hole', size: 5001 }) },
  ]);
  t.is(archive.size % 4, 0);
  const into = join(await temporaryDirectory(t), 'into');
  await mkdir(into);
  const input = await archive.bytes();
  const listed = execFileSync('cpio', ['-t', '--quiet'], { input, encoding: 'utf8' });
  t.deepEqual(listed.trim().split('\n'), [
    'init',
    'layers',
    'layers/schematic',
    'layers/schematic/system',
    'layers/schematic/system/meta.json',
    'layers/empty',
    'rootfs.sqsh',
  ]);
  execFileSync('cpio', ['-i', '--quiet'], { input, cwd: into });
  t.deepEqual(await readFile(join(into, 'init')), content);
  t.is((await stat(join(into, 'init'))).mode & 0o777, 0o755);
  t.is((await stat(join(into, 'layers/empty'))).mode & 0o777, 0o700);
  t.is((await stat(join(into, 'rootfs.sqsh'))).size, 5001);
});

test('a path that leads out of the archive, or is there twice, is refused', (t) => {
  const content = View.of();
  for (const path of ['', '/', '../x', '/a/../b', 'a//b', 'a/', './a', 'a\0b', 'TRAILER!!!']) {
    t.throws(() => cpio([{ kind: 'file', path, content }]), { code: 'ERR_IMAGE_NAME' }, path);
  }
  const twice = { kind: 'file', path: '/a', content } as const;
  t.throws(() => cpio([twice, twice]), { code: 'ERR_IMAGE_NAME' });
  const large = View.of({ kind: 'hole', size: 2 ** 32 });
  t.throws(() => cpio([{ kind: 'file', path: '/a', content: large }]), { code: 'ERR_IMAGE_TOO_LARGE' });
});
