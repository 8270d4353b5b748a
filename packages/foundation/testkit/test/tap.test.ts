import test from 'ava';

import { TapReader, type TapResult } from '../src/tap.ts';

function read(lines: readonly string[]): TapResult[] {
  const results: TapResult[] = [];
  const reader = new TapReader((result) => results.push(result));
  for (const line of lines) reader.read(line);
  reader.end();
  return results;
}

test('results keep their order, their titles and the detail of a failure', (t) => {
  const results = read([
    'TAP version 13',
    'ok 1 - a title - with dashes',
    '#   said by one that passed',
    'not ok 2 - broken',
    '#   said by it',
    '  ---',
    '    message: Difference',
    '  ...',
    'ok 3 - not here # SKIP',
    '---tty-stream-chunk-separator',
    '1..3',
    '# tests 3',
  ]);
  t.deepEqual(results, [
    { outcome: 'passed', title: 'a title - with dashes', detail: [] },
    {
      outcome: 'failed',
      title: 'broken',
      detail: ['#   said by it', '  ---', '    message: Difference', '  ...'],
    },
    { outcome: 'skipped', title: 'not here', detail: [] },
  ]);
});

test('a failure in the last line is not lost', (t) => {
  t.is(read(['not ok 1 - broken'])[0]?.outcome, 'failed');
});
