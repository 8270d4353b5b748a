import test from 'ava';

import { ConfigError, parse } from '@nodecore/config';

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
