import test from 'ava';

import { ConfigError, parse, patchConfiguration } from '@nodecore/config';
import { problemsOf } from './fixtures/problems.ts';

const sysctl = 'apiVersion: v1alpha1\nkind: SysctlConfig\nparams:\n';

test('the environment is not asked for every token of a text, and stays what it was', (t) => {
  const before = process.env;
  const asked: unknown[] = [];
  const watched = new Proxy(
    { ...before },
    {
      get: (target, name, receiver) => {
        asked.push(name);
        return Reflect.get(target, name, receiver) as unknown;
      },
    },
  );
  process.env = watched;
  t.teardown(() => {
    process.env = before;
  });
  parse('apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 10\n')[Symbol.dispose]();
  t.is(process.env, watched);
  const deep = `a: ${'['.repeat(100)}`;
  for (const wrong of [deep, 'a: [', '"']) t.throws(() => parse(wrong), { instanceOf: ConfigError });
  t.is(process.env, watched, 'also of a text that can not be read');
  t.deepEqual(asked, []);
});

test('quotes that are never closed are refused at the end of a text, too', (t) => {
  for (const value of [String.raw`"x\"`, "'x''", String.raw`"x\\\"`, '{b: "x', "'"]) {
    const text = `${sysctl}  a: ${value}`;
    t.true(
      problemsOf(text).some(({ code }) => code === 'yaml.syntax'),
      value,
    );
    t.throws(() => patchConfiguration('', [{ text }]), { instanceOf: ConfigError }, value);
  }
  t.like(problemsOf(`${sysctl}  a: 'x''`), [{ code: 'yaml.syntax', line: 4, column: 6 }]);
  for (const value of [String.raw`"x\\"`, "'x'''", String.raw`x\"`, '{b: "x"}', '"x"', "''", "x''"])
    t.false(
      problemsOf(`${sysctl}  a: ${value}`).some(({ code }) => code === 'yaml.syntax'),
      value,
    );
});

test('of many mistakes of syntax the first hundred are told', (t) => {
  t.is(problemsOf('&a '.repeat(5000)).length, 100);
});

const badNames = (count: number): string =>
  Array.from({ length: count }, (_, index) => `  bad name ${index}: "1"\n`).join('');

test('a mapping of too many names is refused before they are looked at', (t) => {
  t.deepEqual(
    problemsOf(`${sysctl}${badNames(10_000)}`).map(({ code, path }) => [code, path]),
    [['map.long', 'params']],
  );
  t.is(problemsOf(`${sysctl}${badNames(3)}`).length, 3);
});
