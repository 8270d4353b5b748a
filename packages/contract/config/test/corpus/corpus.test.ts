import { readFile } from 'node:fs/promises';

import test from 'ava';

import { ConfigError, parse } from '@nodecore/config';
import { shown, textOf, type CorpusCase } from './case.ts';
import { sources } from './sources.ts';

function found(text: string): string[] {
  try {
    using configuration = parse(text, { nowMs: Date.UTC(2026, 0, 1) });
    return shown([], configuration.warnings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return shown(error.problems, []);
  }
}

test('the sources of the corpus are valid', (t) => {
  for (const source of sources)
    t.deepEqual(
      found(source).filter((one) => !one.startsWith('~')),
      [],
      source,
    );
});

test('two thousand mutated documents have the findings that they always had, by code, path, line and column', async (t) => {
  const text = await readFile(new URL('corpus.json', import.meta.url), 'utf8');
  const cases = JSON.parse(text) as CorpusCase[];
  let wrong = 0;
  for (const [index, [source, edits, findings]] of cases.entries()) {
    const mutated = textOf(sources[source] ?? '', edits);
    const now = found(mutated);
    if (JSON.stringify(now) === JSON.stringify(findings)) continue;
    wrong += 1;
    if (wrong < 10) t.log(`case ${index}: ${JSON.stringify({ edits, now, findings })}\n${mutated}`);
  }
  t.is(wrong, 0);
  t.true(cases.length === 2000);
});
