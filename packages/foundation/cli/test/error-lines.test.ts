import test from 'ava';

import { linesOf } from '../src/index.ts';

test('several things that happened are on one line, and stand apart', (t) => {
  t.deepEqual(linesOf(new Error('--name X: small letters\n--cidr 1.2.3: IPv4 CIDR expected\n')), [
    '--name X: small letters; --cidr 1.2.3: IPv4 CIDR expected',
  ]);
  t.deepEqual(linesOf(new Error('nft -f rules:\r\n  no such file\n\n  at 1:1'), 'look at it'), [
    'nft -f rules: no such file; at 1:1; look at it',
  ]);
  t.deepEqual(linesOf(new Error('\n')), ['']);
});

test('no message moves the cursor, or looks like a line of ours', (t) => {
  const [line = '', ...more] = linesOf(new Error('refused\nosctl: done\r\u001b[2K'));
  t.deepEqual(more, []);
  t.true(line.startsWith('refused; osctl: done'));
  for (const mark of ['\r', '\n', '\u001b']) t.false(line.includes(mark));
});
