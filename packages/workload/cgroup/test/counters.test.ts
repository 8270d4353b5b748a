import test from 'ava';

import { countersOf, rate, rateFiles } from '../src/index.ts';
import { ratedText } from '../src/schema/index.ts';

const ioStat = '8:0 rbytes=10 wbytes=20 rios=1 wios=2 cost.vrate=90.00\n253:1 rbytes=5\n';
const pressure = 'some avg10=1.50 avg60=0.00 avg300=0.00 total=700\n';

test('counters have the names of their line and value, and amounts are none', (t) => {
  t.deepEqual(
    [...countersOf('io.stat', ioStat)],
    [
      ['8:0 rbytes', 10],
      ['8:0 wbytes', 20],
      ['8:0 rios', 1],
      ['8:0 wios', 2],
      ['253:1 rbytes', 5],
    ],
  );
  t.deepEqual([...countersOf('memory.stat', 'anon 4096\npgfault 3\n')], [['pgfault', 3]]);
  t.deepEqual([...countersOf('cpu.pressure', pressure)], [['some total', 700]]);
  for (const file of ['memory.current', 'constructor', 'cgroup.procs'])
    t.deepEqual([...countersOf(file, '7\n')], []);
  t.deepEqual([...countersOf('cpu.stat', undefined)], []);
  t.true(rateFiles.includes('irq.pressure'));
});

test('rates take the place of counters, and the rest of a file stays as it is', (t) => {
  const rates = new Map([
    ['8:0 rbytes', 1000.4],
    ['8:0 wios', 0.5],
  ]);
  const always = (counter: string): number => rates.get(counter) ?? 0;
  t.is(
    ratedText('io.stat', ioStat, always),
    '8:0 rbytes=1000 wbytes=0 rios=0 wios=1 cost.vrate=90.00\n253:1 rbytes=0\n',
  );
  t.is(
    ratedText('memory.stat', 'anon 4096\npgfault 3\n', () => 2),
    'anon 4096\npgfault 2\n',
  );
  t.is(
    ratedText('cpu.pressure', pressure, () => 250_000),
    'some avg10=1.50 avg60=0.00 avg300=0.00 total=250000\n',
  );
  t.is(
    ratedText('memory.max', 'max\n', () => 1),
    'max\n',
  );
  t.is(
    ratedText('constructor', 'x 1\n', () => 1),
    'x 1\n',
  );
});

test('a counter without a rate is absent, never zero', (t) => {
  t.is(
    ratedText('cpu.stat', 'usage_usec 7\nuser_usec 3\n', () => undefined),
    '',
  );
  t.is(
    ratedText('io.stat', '8:0 rbytes=1 x=2\n', () => undefined),
    '8:0 x=2\n',
  );
  t.is(
    ratedText('cpu.stat', 'usage_usec ?\nnonsense\n', () => 5),
    'usage_usec ?\nnonsense\n',
  );
});

test('a rate divides by the time that passed, and a counter that fell has none', (t) => {
  t.deepEqual(rate(10, 30, 500_000_000n), { delta: 20, perSecond: 40 });
  t.deepEqual(rate(30, 10, 1n), { reset: true });
});
