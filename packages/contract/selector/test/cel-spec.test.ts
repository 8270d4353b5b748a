import { readFile } from 'node:fs/promises';

import test from 'ava';

import { coreCases, failureOf } from './cel-spec-cases.ts';

/** How many core cases the package has: fewer would be tests that are not run. */
const cases = 1081;

type Known = Readonly<Record<string, { readonly fails: string; readonly why: string }>>;

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as T;
}

test('of the public conformance tests of CEL exactly those fail that are known to, each as it is known', async (t) => {
  const all = await coreCases();
  t.is(all.length, cases);
  const failures = all.flatMap((one) => {
    const failure = failureOf(one);
    return failure === undefined ? [] : [[one.name, failure] as const];
  });
  const known = await readJson<Known>('./fixtures/cel-spec-failures.json');
  t.deepEqual(
    Object.fromEntries(failures),
    Object.fromEntries(Object.entries(known).map(([name, { fails }]) => [name, fails])),
  );
  for (const { why } of Object.values(known)) t.regex(why, /\w/u);
});

test('the score that is published is the one that is reached', async (t) => {
  const known = Object.keys(await readJson<Known>('./fixtures/cel-spec-failures.json')).length;
  const score = `${cases - known} of ${cases}`;
  for (const page of ['../README.md', '../../../../docs/decisions/cel.md'])
    t.true((await readFile(new URL(page, import.meta.url), 'utf8')).includes(score), `${page}: ${score}`);
});
