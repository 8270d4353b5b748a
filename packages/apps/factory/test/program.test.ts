import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import test, { type ExecutionContext } from 'ava';

import type { FactoryOptions } from '../src/index.ts';
import { SchematicStore } from '../src/schematics/schematic-store.ts';
import { defaultSchematic, factoryOptions } from './running-factory.ts';

const program = new URL('../bin/nodecore-factory.js', import.meta.url).pathname;

function serve(t: ExecutionContext, options: FactoryOptions): ChildProcessByStdio<null, Readable, null> {
  const { releases, releaseKeys, storage } = options;
  const flags = ['--releases', releases, '--release-key', releaseKeys[0]!, '--storage', storage];
  const child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function urlOf(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return /at (http\S+) .*releases: v1\.14\.0-alpha\.0, v1\.14\.0$/.exec(line)?.[1] ?? '';
}

test('the program says where it answers, takes a schematic, and ends by SIGTERM', async (t) => {
  const child = serve(t, await factoryOptions(t));
  const answer = await fetch(`${await urlOf(child)}/schematics`, { method: 'POST', body: '{}' });
  t.is(answer.status, 201);
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'exit'), [0, null]);
});

test('what was answered with 201 is there after the program was killed', async (t) => {
  const options = await factoryOptions(t);
  const child = serve(t, options);
  const url = await urlOf(child);
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const body = `customization: {extraKernelArgs: [a=${index}]}`;
    ids.push(
      ((await (await fetch(`${url}/schematics`, { method: 'POST', body })).json()) as { id: string }).id,
    );
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  using store = await SchematicStore.open(options.storage);
  for (const id of ids) t.true(store.get(id)?.startsWith('customization:'));
});

test('a schematic has its ID without a factory', async (t) => {
  const { directory } = await factoryOptions(t);
  const file = join(directory, 'schematic.yaml');
  await writeFile(file, 'customization: {}\n');
  const child = spawn(process.execPath, [program, 'schematic', 'id', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  t.is(line, defaultSchematic);
});
