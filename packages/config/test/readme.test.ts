import { readFile } from 'node:fs/promises';

import test from 'ava';

import { problemsOf } from './fixtures/problems.ts';

test('the example of the README is valid', async (t) => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```yaml\n(?<text>[^`]*)```/u.exec(readme)?.groups?.['text'] ?? '';
  t.deepEqual(problemsOf(example), []);
  const broken = example.replace('maxSize: -10%', 'maxSize: 1GiB');
  t.like(problemsOf(broken)[0], { code: 'size.min_gt_max', line: 6, column: 12 });
});
