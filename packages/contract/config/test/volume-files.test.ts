import { readdir, readFile } from 'node:fs/promises';

import test from 'ava';

import { ConfigError, parse, type Problem } from '@nodecore/config';

const directory = new URL('fixtures/volumes/', import.meta.url);
const files = (await readdir(directory)).filter((name) => name.endsWith('.yaml')).toSorted();

/** What a file says of itself in its last lines: `# finds 6:12 size.min_gt_max provisioning.minSize`. */
function expected(text: string): readonly string[] {
  return [...text.matchAll(/^# (?:finds|warns) .*$/gmu)].map(([line]) => line.slice(2)).toSorted();
}

function found(text: string): readonly string[] {
  try {
    using configuration = parse(text);
    return configuration.warnings.map((warning) => line('warns', warning)).toSorted();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => line('finds', problem)).toSorted();
  }
}

function line(verb: string, { line: at, column, code, path }: Problem): string {
  return `${verb} ${at}:${column} ${code}${path === '' ? '' : ` ${path}`}`;
}

test('there are a hundred configuration files of volumes, good and bad', (t) => {
  const bad = files.filter((name) => name.startsWith('bad-'));
  t.true(files.length >= 100, `${files.length}`);
  t.true(bad.length >= 50 && files.length - bad.length >= 50, `${bad.length} bad of ${files.length}`);
});

for (const name of files) {
  test(`${name} has exactly the findings that it names, at line and column`, async (t) => {
    const text = await readFile(new URL(name, directory), 'utf8');
    const wanted = expected(text);
    t.is(
      wanted.some((one) => one.startsWith('finds')),
      name.startsWith('bad-'),
    );
    t.deepEqual(found(text), wanted);
  });
}
