import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { command, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

const scripts = fileURLToPath(new URL('../../../../scripts', import.meta.url));

testWith(root, program('setpriv'))(
  'a checkout that can not be written is told with the one thing to do',
  async (t) => {
    const checkout = await temporaryDirectory(t);
    await cp(scripts, join(checkout, 'scripts'), { recursive: true });
    await chmod(checkout, 0o755);
    const setUp = () =>
      command([
        'setpriv',
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
        join(checkout, 'scripts/setup'),
      ]);
    const told = (place: string): string =>
      `setup: nobody can't write to ${place}\n       use a checkout of your own, or make this one yours: sudo chown -R nobody ${checkout}\n`;
    t.deepEqual(await setUp(), { code: 1, stdout: '', stderr: told(checkout) });
    // All but a file that another user has left, as after one run with sudo.
    const logs = join(checkout, '.cache', 'logs');
    await mkdir(logs, { recursive: true });
    for (const place of [checkout, join(checkout, '.cache'), logs]) await chmod(place, 0o777);
    await writeFile(join(logs, 'downloads.log'), '', { mode: 0o644 });
    t.deepEqual(await setUp(), { code: 1, stdout: '', stderr: told(join(logs, 'downloads.log')) });
  },
);

testWith()('the system packages are listed without anything being written', async (t) => {
  const { code, stdout, stderr } = await command([join(scripts, 'setup'), '--packages']);
  t.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const names = stdout.trimEnd().split('\n');
  t.deepEqual(names, [...names].sort());
  for (const name of ['g++', 'xfsprogs', 'swtpm', 'tcpdump']) t.true(names.includes(name), name);
});

testWith()('a step in which something fails has failed, though what comes after it would not', async (t) => {
  const cache = await temporaryDirectory(t);
  const lines = `set -euo pipefail
check=false; cache=${cache}
${(await readFile(join(scripts, 'setup'), 'utf8')).match(/^(?:fail|step)\(\) \{[^]*?^\}/gm)?.join('\n')}
unpack() { echo unpacks; false; echo unpacked; }
step program 'for tests' unpack`;
  const { code, stdout, stderr } = await command(['bash', '-c', lines]);
  t.is(code, 1);
  t.regex(stdout, /^setup: program: for tests … failed\n$/);
  t.regex(stderr, /^unpacks\nsetup: program could not be set up\n/);
});
