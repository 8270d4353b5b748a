import test from 'ava';

import { checkMode, parse } from '@nodecore/config';
import { refused, unmark } from '../fixtures/marked.ts';

/** Documents of several kinds: `§` marks where the only finding is. */
function document(kind: string, fields: string): string {
  return `---\napiVersion: v1alpha1\nkind: ${kind}\n${fields}\n`;
}

const file = (name: string, size = 1): string =>
  document('EtcFileConfig', `name: ${name}\ncontents: ${'€'.repeat(size)}`);
const host = (name: string): string => document('StaticHostConfig', `name: ${name}\nhostnames: [a]`);
const module = (name: string): string => document('KernelModuleConfig', `name: ${name}`);

const cases: readonly (readonly [code: string, marked: string])[] = [
  ['etc_file.parent', `${file('a')}${file('§a/b/c')}`],
  ['etc_file.parent', `${file('§a/b/c')}${file('a/b')}`],
  ['document.duplicate', `${file('a')}---\n§${file('a').slice(4)}`],
  ['name.clash', `${module('dm-mod')}${module('§dm_mod')}`],
  ['name.clash', `${host('"::1"')}${host('§"0:0::1"')}`],
];

test('documents that can not stand beside each other are named at their place', (t) => {
  for (const [code, marked] of cases) {
    const { text, line, column } = unmark(marked);
    t.deepEqual(refused(text), [{ code, line, column }], marked);
  }
});

test('documents that only look alike stand beside each other', (t) => {
  for (const text of [
    file('a') + file('ab/c'),
    host('10.0.0.1') + host('"::a00:1"'),
    module('a') + module('b'),
  ])
    t.deepEqual(refused(text), [], text);
});

test('files below /etc have 512 KiB together', (t) => {
  const files = Array.from({ length: 9 }, (_, index) => file(`f${index}`, 21_800));
  t.deepEqual(refused(files.slice(0, 8).join('')), []);
  t.deepEqual(refused(files.join('')), [{ code: 'etc_file.total', line: 45, column: 11 }]);
});

test('a container is told of documents that have no effect there, and not of others', (t) => {
  using configuration = parse(module('nbd') + host('10.0.0.1'));
  const told = checkMode(configuration, 'container').warnings.filter(({ code }) => code === 'mode.container');
  t.deepEqual(
    told.map(({ document: identity, line, column }) => [identity, line, column]),
    [['KernelModuleConfig/nbd', 2, 1]],
  );
  t.false(checkMode(configuration, 'metal').warnings.some(({ code }) => code === 'mode.container'));
});
