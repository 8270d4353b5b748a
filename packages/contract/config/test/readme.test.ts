import { readFile } from 'node:fs/promises';

import test from 'ava';

import { warned } from './fixtures/marked.ts';
import { problemsOf } from './fixtures/problems.ts';

test('the example of the README is valid', async (t) => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```yaml\n(?<text>[^`]*)```/u.exec(readme)?.groups?.['text'] ?? '';
  t.deepEqual(problemsOf(example), []);
  const broken = example.replace('maxSize: -10%', 'maxSize: 1GiB');
  t.like(problemsOf(broken)[0], { code: 'size.min_gt_max', line: 6, column: 12 });
});

test('the documents of the guide to volumes are valid', async (t) => {
  const guide = await readFile(new URL('../../../../docs/volumes.md', import.meta.url), 'utf8');
  const examples = [...guide.matchAll(/^```yaml\n(?<text>.*?)^```$/gmsu)].map(
    (match) => match.groups?.['text'] ?? '',
  );
  t.true(examples.some((example) => example.includes('FilesystemTrimConfig')));
  for (const example of examples) {
    t.deepEqual(problemsOf(example), []);
    t.deepEqual(warned(example), []);
  }
});

test('the documents of the guide to encryption are valid, and warned of as it says', async (t) => {
  const guide = await readFile(new URL('../../../../docs/encryption.md', import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(/^```yaml\n(?<text>.*?)^```$/gmsu)];
  const documents = blocks
    .map((match) => match.groups?.['text'] ?? '')
    .filter((text) => text.startsWith('apiVersion'));
  t.is(documents.length, 2);
  for (const text of documents) t.deepEqual(problemsOf(text), []);
  t.deepEqual(
    documents.flatMap((text) => warned(text).map(({ code }) => code)),
    ['encryption.tpm_only'],
  );
});
