import test from 'ava';

import { consoleSteps, difference } from '../src/pages/console-blocks.ts';

const page = `Text.

\`\`\`console
$ not run
\`\`\`

\`\`\`console run
$ one \\
    --flag
first
second
# two
\`\`\`
`;

test('the commands of a page are those of its marked blocks, with what they print', (t) => {
  t.deepEqual(consoleSteps(page), [
    { line: 8, command: 'one \\\n    --flag', expected: ['first', 'second'] },
    { line: 12, command: 'two', expected: [] },
  ]);
  t.throws(() => consoleSteps('```console run\noutput\n```'), { instanceOf: SyntaxError, message: /line 1/ });
});

test('what varies is left out, in a line or as lines, and everything else differs', (t) => {
  const shown = ['NODE   SIZE', '127.0.0.1:…   … MB', '…', 'the end'];
  t.is(difference(shown, 'NODE   SIZE  \n127.0.0.1:5   12 MB\nmore\nand more\nthe end\n'), undefined);
  t.is(difference(shown, 'NODE   SIZE\n127.0.0.1:5   12 MB\nthe end\n'), undefined);
  t.is(difference(shown, 'NODE   SIZES\n'), '"NODE   SIZES" in place of "NODE   SIZE"');
  t.is(difference(shown, 'NODE   SIZE\n127.0.0.1:5   12 MB\nmore\n'), 'nothing more in place of "the end"');
  t.is(difference(['a.c'], 'abc\n'), '"abc" in place of "a.c"');
  t.is(difference(['ab…ba'], 'aba\n'), '"aba" in place of "ab…ba"');
  t.is(difference(['one'], 'one\ntwo\n'), 'also "two"');
  t.is(difference(['one', '…'], 'one\ntwo\nthree\n'), undefined);
});
