import test from 'ava';

import { ConfigError, documentTexts } from '@nodecore/config';

const head = (kind: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n`;

test('documents are taken apart with what is in front of them, and one behind the other they are the text', (t) => {
  const text = `# mine\n${head('ZswapConfig')}maxPoolPercent: 20\n---\n# of the kernel\n${head('SysctlConfig')}params: {a: "1"} # one\n# the end\n`;
  const parts = documentTexts(text);
  t.deepEqual(
    parts.map(({ identity }) => identity),
    ['ZswapConfig', 'SysctlConfig'],
  );
  t.is(parts.map((part) => part.text).join(''), `---\n${text}`);
  t.true(parts.every((part) => part.text.startsWith('---\n')));
});

test('documents without separators, line ends or content of their own stay whole', (t) => {
  const text = `---\n---\n${head('ZswapConfig')}maxPoolPercent: 20\n...\n---\n# nothing\n---\nversion: v1alpha1\nmachine: {type: worker}`;
  const parts = documentTexts(text);
  t.deepEqual(
    parts.map(({ identity, kind }) => [identity, kind]),
    [
      ['ZswapConfig', 'ZswapConfig'],
      ['machine', ''],
    ],
  );
  for (const part of parts) t.is(documentTexts(part.text).length, 1, part.text);
  t.true(parts[1]?.text.endsWith('worker}\n'));
});

test('a text that can not be read is refused with its place', (t) => {
  const error = t.throws(() => documentTexts('a: [', { file: 'x.yaml' }), { instanceOf: ConfigError });
  t.is(error.problems[0]?.file, 'x.yaml');
});
