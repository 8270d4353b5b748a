import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

import { checkout } from '../src/paths.ts';

const run = promisify(execFile);

const pages = ['README.md', 'docs/*.md', '{packages/*,.}/*/README.md'];

test('the examples of the README and of every other page compile against the packages', async (t) => {
  const examples: string[] = [];
  for (const page of globSync(pages, { cwd: checkout }).sort()) {
    const text = await readFile(join(checkout, page), 'utf8');
    examples.push(...[...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? ''));
  }
  t.true(examples.some((example) => example.includes('luks.open')));
  // Below hw-tests, so that imports resolve as they do for a package that depends on ours.
  const directory = join(checkout, 'hw-tests', '.cache', `readme-${process.pid}`);
  await mkdir(directory, { recursive: true });
  t.teardown(() => rm(directory, { recursive: true }));
  for (const [index, example] of examples.entries()) {
    await writeFile(join(directory, `example-${index}.ts`), `${example}\nexport {};\n`);
  }
  const configuration = { extends: '../../../tsconfig.test.json', include: ['*.ts'] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(configuration));
  const result = await run('tsc', ['-p', directory], { cwd: checkout }).catch((error: unknown) => error);
  t.like(result, { stdout: '', stderr: '' });
});
