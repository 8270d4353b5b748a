import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { temporaryDirectory } from '@nodecore/testkit';
import { osctl } from './command-line.ts';

const volume = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning: {diskSelector: {match: disk.size > 0}, minSize: 1GiB}
`;

test('a valid configuration is said to be valid', async (t) => {
  const file = join(await temporaryDirectory(t), 'node.yaml');
  await writeFile(file, volume);
  const { code, out, error } = await osctl(['validate', '-c', file, '-m', 'metal']);
  t.is(code, 0);
  t.is(out, `${file} is valid for metal mode\n`);
  t.regex(
    error,
    /^warning: .*node\.yaml:1:1: UserVolumeConfig\/data: no root document .* \(machine\.missing\)\n$/u,
  );
});

test('every problem has a line with its place and code', async (t) => {
  const input = volume.replace('minSize: 1GiB', 'minSize: 2GiB, maxSize: 1GiB, bogus: 1');
  const { code, out, error } = await osctl(['validate', '-c', '-', '-m', 'cloud'], { input });
  t.is(code, 1);
  t.is(out, '');
  t.deepEqual(error.split('\n'), [
    '<stdin>:4:63: UserVolumeConfig/data provisioning.minSize: minSize is larger than maxSize (size.min_gt_max)',
    '<stdin>:4:84: UserVolumeConfig/data provisioning.bogus: unknown field bogus (unknown_field)',
    'osctl: <stdin> is not valid for cloud mode: 2 problems',
    '',
  ]);
});

test('strict turns warnings into problems, a container refuses volumes', async (t) => {
  t.is((await osctl(['validate', '-c', '-', '-m', 'metal', '--strict'], { input: volume })).code, 1);
  const { code, error } = await osctl(['validate', '-c', '-', '-m', 'container'], { input: volume });
  t.is(code, 1);
  t.regex(error, /\(mode\.container\)/u);
});

test('a missing file, a missing mode and an unknown mode are usage errors', async (t) => {
  for (const args of [
    ['-c', '/nowhere', '-m', 'metal'],
    ['-c', '-'],
    ['-c', '-', '-m', 'moon'],
  ]) {
    t.is((await osctl(['validate', ...args], { input: volume })).code, 2, args.join(' '));
  }
});
