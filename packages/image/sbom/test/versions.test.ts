import { execFileSync } from 'node:child_process';

import test from 'ava';

import { compareDebianVersions, compareNpmVersions } from '../src/index.ts';

/** Small numbers that look random and are the same in every run. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

/** Versions that differ in what the order is about: tildes, letters, numbers with zeros, epochs, revisions. */
function* versions(seed: number): Generator<string, never> {
  const numbers = random(seed);
  const parts = [
    '0',
    '1',
    '9',
    '10',
    '09',
    '007',
    '~',
    '~~',
    '.',
    '+',
    'a',
    'Z',
    'rc',
    '~rc1',
    '.0',
    '-1',
    'b',
  ];
  const epochs = ['', '', '', '0:', '1:', '2:'];
  for (;;) {
    const word = Array.from(
      { length: 1 + (numbers.next().value % 5) },
      () => parts[numbers.next().value % parts.length],
    );
    yield `${epochs[numbers.next().value % epochs.length]}${numbers.next().value % 12}${word.join('')}`;
  }
}

test('versions of Debian are in the order of dpkg', (t) => {
  const known = ['1.0', '1.0-0', '1.0-1', '1.0~rc1-1', '1:0.9', '0:1.0', '2.36-9+deb12u4', '2.36-9+deb12u10'];
  const made = versions(7);
  const pairs = [
    ...known.flatMap((a) => known.map((b) => [a, b] as const)),
    ...Array.from({ length: 300 }, () => [made.next().value, made.next().value] as const),
  ];
  const asked = pairs.map(([a, b]) => `${a} ${b}`).join('\n');
  const script =
    'while read a b; do if dpkg --compare-versions "$a" lt "$b"; then echo -1; elif dpkg --compare-versions "$a" eq "$b"; then echo 0; else echo 1; fi; done';
  const said = execFileSync('sh', ['-c', `${script} 2>/dev/null`], { input: `${asked}\n` });
  const expected = said.toString().trim().split('\n').map(Number);
  t.is(expected.length, pairs.length);
  for (const [index, [a, b]] of pairs.entries())
    t.is(Math.sign(compareDebianVersions(a, b)), expected[index] ?? Number.NaN, `${a} ${b}`);
});

test('versions of npm are in the order of Semantic Versioning', (t) => {
  // https://semver.org, 11, and what lists have besides.
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.10.0',
    '2',
  ];
  for (const [i, a] of order.entries())
    for (const [j, b] of order.entries())
      t.is(Math.sign(compareNpmVersions(a, b)), Math.sign(i - j), `${a} ${b}`);
  t.is(compareNpmVersions('1.0.0+build', 'v1.0.0'), 0);
});
