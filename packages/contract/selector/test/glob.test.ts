import test from 'ava';

import { glob } from '../src/glob.ts';

const cases: readonly (readonly [string, string, boolean])[] = [
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['***', 'anything', true],
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['ABC', 'abc', false],
  ['a*', 'abc', true],
  ['*c', 'abc', true],
  ['a*c', 'abc', true],
  ['a*c', 'ac', true],
  ['a*a', 'a', false],
  ['ab*ba', 'aba', false],
  ['*b*', 'abc', true],
  ['*x*', 'abc', false],
  ['a*b*c', 'a1b2b3c', true],
  ['*ab*ab*', 'ab', false],
  ['a?c', 'abc', false],
  ['a?c', 'a?c', true],
  ['[ab]', 'a', false],
  ['a.c', 'abc', false],
  ['a*', 'a\nb', true],
];

for (const [pattern, subject, matches] of cases) {
  const verb = matches ? 'matches' : 'does not match';
  test(`glob: ${JSON.stringify(pattern)} ${verb} ${JSON.stringify(subject)}`, (t) => {
    t.is(glob(pattern, subject), matches);
  });
}
