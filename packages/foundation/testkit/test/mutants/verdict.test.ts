import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import test, { type ExecutionContext } from 'ava';

import type { PlacedMutant } from '../../src/mutants/mutant.ts';
import { verdictOn } from '../../src/mutants/verdict.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const source = `export function larger(one: number, other: number): number {
  if (one > other) return one;
  return other;
}
`;
const body = `import test from 'ava';
import { larger } from '../src/larger.ts';
test('the larger one', (t) => t.is(larger(2, 1), 2));
`;
const mutant: PlacedMutant = {
  directory: 'packages/larger',
  file: 'src/larger.ts',
  line: 'if (one > other) return one;',
  becomes: '',
  caughtBy: ['test/larger.test.ts'],
  guards: 'the order',
};

/** A checkout of one package with one test. */
async function checkout(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-checkout-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await copyFile(join(root, 'ava.config.js'), join(directory, 'ava.config.js'));
  for (const [name, text] of [
    ['src/larger.ts', source],
    ['src/unused.ts', source],
    ['test/larger.test.ts', body],
  ] as const) {
    const path = join(directory, 'packages/larger', name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  }
  return directory;
}

test('a mutant that a test notices is caught, and the source stays as it is', async (t) => {
  const directory = await checkout(t);
  t.is(await verdictOn(directory, mutant), 'caught');
  t.is(await readFile(join(directory, 'packages/larger/src/larger.ts'), 'utf8'), source);
});

test('a mutant that no test notices is told so', async (t) => {
  const becomes = 'if (one >= other) return one;';
  t.is(await verdictOn(await checkout(t), { ...mutant, becomes }), 'every test passes');
});

test('a mutant in a file that its tests do not load is told so', async (t) => {
  t.is(await verdictOn(await checkout(t), { ...mutant, file: 'src/unused.ts' }), 'no test loads the file');
});

test('a mutant whose line is gone is told so', async (t) => {
  t.regex(await verdictOn(await checkout(t), { ...mutant, line: 'gone();' }), /has no line/);
});
