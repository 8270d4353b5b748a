import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { runEach } from '../src/run.ts';

test('programs run one after another until one fails, and what that said is told', async (t) => {
  const directory = await temporaryDirectory(t);
  const [first, last] = ["first $HOME 'file'", 'last'].map((name) => join(directory, name)) as [
    string,
    string,
  ];
  // More words than a shell has digits for.
  await runEach([
    ['touch', '-a', '-c', '-m', '-f', '-h', '--', first],
    ['touch', '--', first],
  ]);
  t.true(existsSync(first));
  const missing = join(directory, 'missing');
  const failed = await t.throwsAsync(
    runEach([
      ['rm', '--', first],
      ['ls', '--', missing],
      ['touch', '--', last],
    ]),
    { code: 'ERR_LAN_COMMAND' },
  );
  t.true(failed?.message.includes(`ls: cannot access '${missing}'`));
  t.false(existsSync(first));
  t.false(existsSync(last));
});
