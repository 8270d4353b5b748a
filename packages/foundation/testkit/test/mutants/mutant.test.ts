import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';

import { mutate, readMutants } from '../../src/mutants/mutant.ts';

const source = 'open();\nawait sync();\nwrite();\nawait sync();\n';
const mutant = {
  file: 'a.ts',
  line: 'write();',
  becomes: '',
  caughtBy: ['test/a.test.ts'],
  guards: 'the data',
};

test('a mutant takes the place of its line, whatever its indent', (t) => {
  t.is(mutate('  write();\nclose();', { ...mutant, becomes: 'skip();' }), 'skip();\nclose();');
});

test('a line that stands there twice is told apart by the line before it', (t) => {
  const error = t.throws(() => mutate(source, { ...mutant, line: 'await sync();' }), {
    instanceOf: RangeError,
  });
  t.regex(error.message, /2 times/);
  t.is(
    mutate(source, { ...mutant, line: 'await sync();', after: 'write();' }),
    'open();\nawait sync();\nwrite();\n\n',
  );
});

test('a line that is gone makes the list out of date', (t) => {
  t.throws(() => mutate(source, { ...mutant, line: 'remove();' }), { instanceOf: RangeError });
});

test('lists are read with the directory of their package, and a wrong entry is named', async (t) => {
  const checkout = await mkdtemp(join(tmpdir(), 'nodecore-lists-'));
  t.teardown(() => rm(checkout, { recursive: true }));
  const list = join(checkout, 'packages/storage/luks/test');
  await mkdir(list, { recursive: true });
  await writeFile(join(list, 'mutants.json'), JSON.stringify([mutant]));
  t.deepEqual(readMutants(checkout), [{ ...mutant, directory: 'packages/storage/luks' }]);

  await writeFile(join(list, 'mutants.json'), JSON.stringify([mutant, { ...mutant, caughtBy: [] }]));
  const error = t.throws(() => readMutants(checkout), { instanceOf: TypeError });
  t.regex(error.message, /luks\/test\/mutants\.json: entry 2/);
});

test('the lists of this checkout fit its sources, and name tests that are there', (t) => {
  const checkout = join(import.meta.dirname, '../../../../..');
  const mutants = readMutants(checkout);
  t.true(mutants.length > 300);
  const outdated = mutants.flatMap((each) => {
    const missing = [each.file, ...each.caughtBy].filter(
      (file) => !existsSync(join(checkout, each.directory, file)),
    );
    if (missing.length > 0) return [`${each.directory}: no ${missing.join()}`];
    try {
      mutate(readFileSync(join(checkout, each.directory, each.file), 'utf8'), each);
      return [];
    } catch (error) {
      return [`${each.directory}: ${String(error)}`];
    }
  });
  t.deepEqual(outdated, []);
});
