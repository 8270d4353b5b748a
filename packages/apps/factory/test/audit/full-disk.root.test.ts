import { execFile } from 'node:child_process';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { ask, runningFactory } from '../running-factory.ts';

const run = promisify(execFile);

testWith(root)('a full disk ends no request, is said, and leaves whole records', async (t) => {
  const directory = join(await temporaryDirectory(t), 'audit');
  await mkdir(directory);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', directory]);
  t.teardown(() => run('umount', ['--lazy', directory]));
  const lines: string[] = [];
  const said = Promise.withResolvers<void>();
  const running = await runningFactory(t, {
    audit: { path: join(directory, 'audit.log'), maxSizeBytes: 1 << 20, maxBackups: 0, maxAgeDays: 0 },
    onWarning: (line) => {
      lines.push(line);
      said.resolve();
    },
  });
  const other = join(directory, 'of-somebody-else');
  await writeFile(other, Buffer.alloc(32 * 1_024));
  for (let index = 0; index < 40; index += 1)
    t.is((await ask(running, `/versions/${'x'.repeat(4_000)}`)).status, 404);
  await said.promise;
  t.is(lines[0], `audit: ${directory}/audit.log: ENOSPC: records are lost until it is better`);
  await truncate(other, 0);
  t.is((await ask(running, '/versions')).status, 200);
  await running.factory.close();
  const text = await readFile(join(directory, 'audit.log'), 'utf8');
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path?: string; lost?: number });
  t.is(records.at(-1)?.path, '/versions');
  const gaps = records.flatMap(({ lost = 0 }) => (lost > 0 ? [lost] : []));
  t.true(gaps.length > 0);
  t.is(records.length - gaps.length + gaps.reduce((sum, lost) => sum + lost, 0), 41);
  t.regex(lines[1]!, /^audit: written again; \d+ records were lost$/);
});
