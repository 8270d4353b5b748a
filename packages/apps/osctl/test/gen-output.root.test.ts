import { lchown, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { output, root, testWith } from '@nodecore/testkit';
import test from 'ava';

import { osctl } from './command-line.ts';

const directory = await mkdtemp(join(tmpdir(), 'osctl-output-'));
const disk = join(directory, 'disk');
test.before(async () => {
  await osctl(['gen', 'secrets', '-o', join(directory, 'secrets.yaml')]);
  await output(['mkdir', disk]);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=20k', 'nodecore-test', disk]);
});
test.after.always(async () => {
  await output(['umount', disk]);
  await rm(directory, { recursive: true });
});

const config = (...more: readonly string[]) =>
  osctl(['gen', 'config', 'home', 'https://a', '--with-secrets', join(directory, 'secrets.yaml'), ...more]);

testWith(root)(
  'a disk with room for some of the files gets none of them, and keeps what it has',
  async (t) => {
    await writeFile(join(disk, 'controlplane.yaml'), 'former');
    const { code, error } = await config('-o', disk, '--force');
    t.is(code, 1);
    t.regex(error, /^osctl: [^:]*: ENOSPC; what was written before is whole\n$/u);
    t.deepEqual(await readdir(disk), ['controlplane.yaml']);
    t.is(await readFile(join(disk, 'controlplane.yaml'), 'utf8'), 'former');
  },
);

testWith(root)(
  'a link that somebody else has put there does not choose which file is replaced',
  async (t) => {
    const [file, link] = [join(directory, 'mine'), join(directory, 'theirs')];
    await writeFile(file, 'mine');
    await symlink(file, link);
    await lchown(link, 12_345, 12_345);
    const { code, error } = await config('-t', 'worker', '-o', link, '--force');
    t.is(code, 1);
    t.is(error, `osctl: ${link}: it is a link of another user; what was written before is whole\n`);
    t.is(await readFile(file, 'utf8'), 'mine');
  },
);
