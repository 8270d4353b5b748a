import test from 'ava';

import { betweenCommands, nftRules, tcCommands } from '../src/chaos/commands.ts';
import { FrameLine } from '../src/chaos/frame-line.ts';
import { effectProblems, type Effects } from '../src/index.ts';

/** The n-th has the number n in its payload. */
function frame(number: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt8(number, 14);
  return bytes;
}

function lineWith(effects: Effects, numbers: readonly number[] = [], limitBytes?: number): FrameLine {
  const left = [...numbers];
  const line = new FrameLine(() => left.shift() ?? 0.5, limitBytes);
  line.effects = effects;
  return line;
}

const leaving = (line: FrameLine, nowMs: number): readonly number[] =>
  [...line.due(nowMs)].map((each) => each.readUInt8(14));

test('without effects a frame leaves at once; with a latency when that has passed', (t) => {
  t.deepEqual(lineWith({}).take(frame(1), 0), frame(1));
  const line = lineWith({ latencyMs: 50 });
  t.is(line.take(frame(1), 100), undefined);
  line.take(frame(2), 120);
  t.is(line.nextMs, 150);
  t.deepEqual(leaving(line, 149), []);
  t.deepEqual(leaving(line, 150), [1]);
  t.is(line.nextMs, 170);
  t.deepEqual(leaving(line, 200), [2]);
  t.is(line.nextMs, undefined);
});

test('jitter makes frames earlier and later, and none overtakes another', (t) => {
  const line = lineWith({ latencyMs: 50, jitterMs: 20 }, [1, 0, 0.5]);
  for (const [number, atMs] of [
    [1, 0],
    [2, 1],
    [3, 100],
  ] as const)
    line.take(frame(number), atMs);
  t.is(line.nextMs, 70);
  t.deepEqual(leaving(line, 69), []);
  t.deepEqual(leaving(line, 70), [1, 2], 'the second would have left at 31');
  t.is(line.nextMs, 150);
});

test('a frame out of order leaves at once, before those that wait', (t) => {
  const line = lineWith({ latencyMs: 50, reorder: 0.1 }, [0.1, 0.09]);
  t.is(line.take(frame(1), 0), undefined);
  t.deepEqual(line.take(frame(2), 1), frame(2));
  t.deepEqual(leaving(line, 50), [1]);
});

test('a corrupt frame has one other bit, behind its addresses and type', (t) => {
  for (const [at, bit] of [
    [0, 0],
    [0.999, 0.999],
    [0.5, 0.3],
  ] as const) {
    const before = frame(1);
    const after = lineWith({ corrupt: 0.5 }, [0.49, at, bit]).take(frame(1), 0);
    const different = [...before].flatMap((byte, index) => {
      const turned = byte ^ (after?.[index] ?? 0);
      return turned === 0 ? [] : [{ index, bits: turned.toString(2).replaceAll('0', '').length }];
    });
    t.is(different.length, 1);
    t.is(different[0]?.bits, 1);
    t.true((different[0]?.index ?? 0) >= 14);
  }
  t.deepEqual(lineWith({ corrupt: 0.5 }, [0.5]).take(frame(1), 0), frame(1));
  t.is(lineWith({ corrupt: 0.5 }, [0]).take(Buffer.alloc(14), 0)?.length, 14, 'nothing is behind them');
});

test('frames that wait go on as they were when the effects change, and none overtakes them', (t) => {
  const line = lineWith({ latencyMs: 50 });
  line.take(frame(1), 0);
  line.effects = {};
  t.is(line.take(frame(2), 10), undefined);
  t.deepEqual(leaving(line, 49), []);
  t.deepEqual(leaving(line, 50), [1, 2]);
  t.deepEqual(line.take(frame(3), 51), frame(3));
});

test('more than fits on the way is lost, and room comes back', (t) => {
  const line = lineWith({ latencyMs: 10 }, [], 128);
  for (const number of [1, 2, 3]) line.take(frame(number), 0);
  t.deepEqual(leaving(line, 10), [1, 2]);
  line.take(frame(4), 11);
  t.deepEqual(leaving(line, 21), [4]);
});

test('effects that contradict each other are named', (t) => {
  t.deepEqual(effectProblems({}), []);
  t.deepEqual(effectProblems({ latencyMs: 5, jitterMs: 5, loss: 0.99, reorder: 0.5, bandwidthKbit: 1 }), []);
  t.deepEqual(effectProblems({ jitterMs: 1, reorder: 0.1, loss: 1, corrupt: -1, bandwidthKbit: 1.5 }), [
    'jitter 1 ms: at most the latency, which is 0 ms',
    'loss 1: 0 to less than 1',
    'corrupt -1: 0 to less than 1',
    'reorder 0.1: without a latency no frame waits',
    'bandwidth 1.5 kbit/s: a whole number, at most 32000000',
  ]);
  t.regex(effectProblems({ latencyMs: Number.NaN })[0] ?? '', /latency NaN/);
});

const devices = { tap: 'tap1-0', near: 'cn0', far: 'cf0' };

test('what programs are told for one tap', (t) => {
  t.is(
    nftRules(devices, { to: { loss: 0.1 }, from: { loss: 0.000_001 } }, true),
    `table netdev chaos_tap1_0
delete table netdev chaos_tap1_0
table netdev chaos_tap1_0 {
chain from {
type filter hook ingress device "tap1-0" priority 0
numgen random mod 1000000 < 1 drop
fwd to "cn0"
}
}
table netdev chaos_tap1_0 {
chain to {
type filter hook egress device "tap1-0" priority 0
numgen random mod 1000000 < 100000 drop
}
}
table netdev chaos_tap1_0 {
chain back {
type filter hook ingress device "cn0" priority 0
fwd to "tap1-0"
}
}
`,
  );
  t.notRegex(nftRules(devices, { to: { loss: 0.1 } }, false), /fwd|ingress/);
  t.is(
    tcCommands(devices, { to: { bandwidthKbit: 1000 }, from: { latencyMs: 5 } }),
    'qdisc replace dev cf0 root tbf rate 1000kbit burst 50000 latency 200ms\nqdisc replace dev cn0 root pfifo limit 1000\n',
  );
  t.regex(tcCommands(devices, { from: { bandwidthKbit: 1_000_000 } }), /cn0 .* burst 1250000 /);
  t.regex(betweenCommands(devices, 9000), /cn0 mtu 9000 up\n.*cf0 mtu 9000 master br0 up\n.*tap1-0 nomaster/);
});
