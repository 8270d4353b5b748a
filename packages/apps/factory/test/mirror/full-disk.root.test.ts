import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { mirrorRelease, verifyRelease } from '../../src/mirror/mirror.ts';
import { parsePlace } from '../../src/mirror/place.ts';
import { releaseKeys, writeRelease } from '../running-factory.ts';

const run = promisify(execFile);
const options = { keys: [releaseKeys.publicKey] };

testWith(root)('a full disk is said, and where there is room again the mirror goes on', async (t) => {
  const directory = await temporaryDirectory(t);
  const release = parsePlace(await writeRelease(join(directory, 'from'), 'v1.14.0'));
  const full = join(directory, 'full');
  await mkdir(full);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', full]);
  t.teardown(() => run('umount', ['--lazy', full]));
  for (const [to, version] of [
    [join(full, 'releases'), join(full, 'releases/v1.14.0')],
    [`oci:${join(full, 'layout')}`, `oci:${join(full, 'layout')}:v1.14.0`],
  ] as const) {
    await run('mount', ['-o', 'remount,size=4m', full]);
    await t.throwsAsync(mirrorRelease(release, parsePlace(to), options), {
      code: 'ERR_FACTORY_STORE_FULL',
      message: /: no room for amd64\/base\.sqsh$/,
    });
    await t.throwsAsync(verifyRelease(parsePlace(version), options));
    await run('mount', ['-o', 'remount,size=12m', full]);
    await mirrorRelease(release, parsePlace(to), options);
    await verifyRelease(parsePlace(version), options);
    await run('rm', ['-r', ...(await readdir(full)).map((name) => join(full, name))]);
  }
});
