import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { parse } from 'yaml';

import { changeState, ClusterDirectory, readState } from '../src/index.ts';

const writer = `
const { changeState, ClusterDirectory } = await import(process.argv[1]);
const directory = new ClusterDirectory(process.argv[2], 'example');
for (let number = 0; number < 25; number += 1)
  await changeState(directory, ({ configured = [] }) => ({ configured: [...configured, process.argv[3] + number] }));
`;

test('what two processes change at once is all there', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = new ClusterDirectory(home, 'example');
  await directory.make();
  await changeState(directory, { phase: 'running' });
  const module = new URL('../src/index.ts', import.meta.url).href;
  const node = ['--conditions=source', '--input-type=module', '--eval', writer, module, home];
  await Promise.all(['a', 'b'].map((name) => promisify(execFile)(process.execPath, [...node, name])));
  const { configured = [], phase } = await readState(directory);
  t.is(new Set(configured).size, 50);
  t.is(phase, 'running');
});

test('what an earlier version has written in blocks is read, and goes on as a flow', async (t) => {
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'example');
  await directory.make();
  const file = join(directory.path, 'state.yaml');
  await writeFile(file, 'phase: running\ncontexts: []\nready: true\nconfigured:\n  - one\n');
  t.like(await readState(directory), { phase: 'running', ready: true, configured: ['one'] });
  await changeState(directory, { phase: 'stopped' });
  t.like(await readState(directory), { phase: 'stopped', ready: true, configured: ['one'] });
  t.deepEqual(parse(await readFile(file, 'utf8')), await readState(directory), 'it is YAML as it was');
});
