import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';

import { ended, programNotFound, readyFile, tethered, tetheredCommand } from '../src/index.ts';

const source = new URL('../src/tethered.ts', import.meta.url).href;

test('a tethered program is gone when its parent was killed', async (t) => {
  const script = `import { tethered } from ${JSON.stringify(source)};
    const child = tethered(['sh', '-c', 'echo $$; exec sleep 1000'], { stdio: ['ignore', 'inherit', 'inherit'] });
    await new Promise(() => child.once('exit', () => {}));`;
  const parent = spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => parent.kill('SIGKILL'));
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  t.true(existsSync(`/proc/${pid.toString().trim()}`));
  const closed = once(parent, 'close'); // the last end of the pipe is the tethered program's
  parent.kill('SIGKILL');
  await closed;
  t.pass();
});

test('a program whose parent died before the tether was set does not start', async (t) => {
  const grandchild = tetheredCommand(['echo', 'started']);
  const shell = spawn('sh', ['-c', '"$@"; exit $?', 'sh', ...grandchild]);
  const [said, [code]] = await Promise.all([shell.stdout.toArray(), once(shell, 'close')]);
  t.is(code, 1);
  t.deepEqual(said, []);
});

test('a program that is not there is told from one that failed, and its end is known', async (t) => {
  const child = tethered(['no-such-program-of-ours'], { stdio: 'ignore' });
  await ended(child);
  t.is(child.exitCode, programNotFound);
  await ended(child);
});

const failed = (code: number | undefined): Error => new Error(`ended with ${code}`);

test('a program serves when its file is there, and not when it ended before', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const file = join(directory, 'ready');
  const early = tethered(['sh', '-c', 'exit 3'], { stdio: 'ignore' });
  await t.throwsAsync(readyFile(early, file, failed), { message: 'ended with 3' });
  await t.throwsAsync(
    readyFile(early, file, failed),
    { message: 'ended with 3' },
    'also when that was long ago',
  );
  const child = tethered(['sh', '-c', '> ready; exec sleep 1000'], { cwd: directory, stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await readyFile(child, file, failed);
  t.true(existsSync(file));
  await readyFile(child, file, failed);
});
