import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

import { checkout } from '../src/paths.ts';

const run = promisify(execFile);

test('the examples of the README compile against the packages', async (t) => {
  const readme = await readFile(join(checkout, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
  t.true(examples.length > 0);
  // Below hw-tests, so that imports resolve as they do for a package that depends on ours.
  const directory = join(checkout, 'hw-tests', '.cache', `readme-${process.pid}`);
  await mkdir(directory, { recursive: true });
  t.teardown(() => rm(directory, { recursive: true }));
  for (const [index, example] of examples.entries()) {
    await writeFile(join(directory, `example-${index}.ts`), example);
  }
  const configuration = { extends: '../../../tsconfig.test.json', include: ['*.ts'] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(configuration));
  const result = await run('tsc', ['-p', directory], { cwd: checkout }).catch((error: unknown) => error);
  t.like(result, { stdout: '', stderr: '' });
});
