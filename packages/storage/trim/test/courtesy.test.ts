import test from 'ava';

import { Courtesy, type IoPressure } from '../src/index.ts';
import { parsePressure, readIoPressure } from '../src/pressure.ts';
import { trimRanges, type TrimProgress } from '../src/trim.ts';
import { LeapingClock } from './leaping-clock.ts';

const gib = 1n << 30n;

/** A machine on which others wait for I/O between two moments, in a share of the time; and a trim counts as waiting, too. */
class BusyMachine {
  readonly clock = new LeapingClock();
  readonly busy: readonly { readonly from: number; readonly to: number; readonly share: number }[];
  readonly ranges: number[] = [];
  #ownMs = 0;

  constructor(...busy: BusyMachine['busy'][number][]) {
    this.busy = busy;
  }

  readonly read = async (): Promise<IoPressure> => {
    const at = this.clock.now();
    return {
      totalMicros: BigInt(Math.round(this.#waitedMs(at) * 1000)),
      recent: this.#waitedIn(at - 10_000, at),
    };
  };

  readonly layout = async () => ({ totalBytes: 16n * gib });

  /** Every range takes 400 ms. */
  readonly discard = async (): Promise<bigint> => {
    this.ranges.push(this.clock.now());
    this.clock.pass(400);
    this.#ownMs += 400;
    await new Promise(setImmediate);
    return 1n;
  };

  #waitedMs(at: number): number {
    const others = this.busy.reduce(
      (sum, { from, to, share }) => sum + Math.max(0, Math.min(at, to) - from) * share,
      0,
    );
    return others + this.#ownMs;
  }

  #waitedIn(from: number, to: number): number {
    return (this.#waitedMs(to) - this.#waitedMs(from)) / (to - from);
  }
}

async function trimOn(machine: BusyMachine, options: { readonly signal?: AbortSignal } = {}) {
  const { clock, read } = machine;
  const progress: TrimProgress[] = [];
  const courtesy = new Courtesy({ clock, read });
  const report = await trimRanges(machine, {
    clock,
    courtesy,
    onProgress: (each) => progress.push(each),
    ...options,
  });
  return { report, progress };
}

test('a trim does not take its own waiting for that of others', async (t) => {
  const { report, progress } = await trimOn(new BusyMachine());
  t.is(report.ranges, 128);
  t.is(report.pausedMs, 0);
  t.true(progress.every(({ state }) => state === 'trimming'));
  t.true(report.durationMs < 128 * 400 * 1.05, `${report.durationMs} ms for 51 s of ranges`);
});

test('a trim holds back while others wait for I/O, goes on when they do not, and says so', async (t) => {
  const machine = new BusyMachine({ from: 5000, to: 60_000, share: 0.6 });
  const { report, progress } = await trimOn(machine);
  t.is(report.ranges, 128, 'it completes');
  t.deepEqual(
    machine.ranges.filter((at) => at > 7000 && at < 59_000),
    [],
  );
  t.true(report.pausedMs > 50_000 && report.pausedMs < 58_000, `${report.pausedMs}`);
  t.deepEqual(
    progress.filter(({ state }, index) => state !== progress[index - 1]?.state).map(({ state }) => state),
    ['trimming', 'paused', 'trimming'],
  );
});

test('a trim does not begin on a machine that was busy just now', async (t) => {
  const machine = new BusyMachine({ from: -10_000, to: 3000, share: 0.9 });
  await trimOn(machine);
  t.true((machine.ranges[0] ?? 0) >= 3000);
});

test('between the two thresholds a trim that runs goes on, and one that holds back holds back', async (t) => {
  const calm = new BusyMachine({ from: 0, to: 1e9, share: 0.15 });
  t.is((await trimOn(calm)).report.pausedMs, 0);
  const busy = new BusyMachine({ from: 5000, to: 8000, share: 0.6 }, { from: 8000, to: 30_000, share: 0.15 });
  const { report } = await trimOn(busy);
  t.true(report.pausedMs > 22_000, `${report.pausedMs}`);
});

test('on a machine that never rests a trim goes on now and then', async (t) => {
  const machine = new BusyMachine({ from: 0, to: 1e12, share: 0.9 });
  const { report } = await trimOn(machine);
  t.is(report.ranges, 128);
  const gaps = machine.ranges.map((at, index) => at - (machine.ranges[index - 1] ?? at));
  t.true(Math.max(...gaps) >= 600_000 && Math.max(...gaps) < 620_000);
});

test('where the kernel does not measure, trims do not wait', async (t) => {
  const clock = new LeapingClock();
  const courtesy = new Courtesy({ clock, read: async () => undefined });
  t.is(
    await courtesy.run(
      async () => 7,
      () => t.fail(),
    ),
    7,
  );
  t.is(await readIoPressure('/nonexistent/pressure'), undefined);
});

test('an abort ends a pause at once, and the next trim goes on', async (t) => {
  const machine = new BusyMachine({ from: -10_000, to: 1e12, share: 0.9 });
  const { clock, read } = machine;
  const courtesy = new Courtesy({ clock, read });
  const stop = new AbortController();
  const ended = courtesy.run(machine.discard, () => stop.abort(new Error('shutting down')), stop.signal);
  await t.throwsAsync(ended, { message: 'shutting down' });
  t.deepEqual(machine.ranges, []);
  const calm = new BusyMachine();
  await courtesy.run(calm.discard, () => {});
  t.is(calm.ranges.length, 1);
});

test('the pressure is measured while no trim of this process is in a range', async (t) => {
  const clock = new LeapingClock();
  let inRange = 0;
  const during: number[] = [];
  const read = async (): Promise<IoPressure> => {
    during.push(inRange);
    return { totalMicros: 0n, recent: 0 };
  };
  const courtesy = new Courtesy({ clock, read });
  const discarding = {
    layout: async () => ({ totalBytes: 16n * gib }),
    discard: async (): Promise<bigint> => {
      inRange += 1;
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      clock.pass(300);
      inRange -= 1;
      return 1n;
    },
  };
  await Promise.all([1, 2, 3].map(() => trimRanges(discarding, { clock, courtesy })));
  t.true(during.length > 20);
  t.deepEqual([...new Set(during)], [0]);
});

test('the line of the kernel is read', async (t) => {
  const text =
    'some avg10=12.50 avg60=0.16 avg300=0.26 total=223024969\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=4\n';
  t.deepEqual(parsePressure(text), { recent: 0.125, totalMicros: 223_024_969n });
  t.is(parsePressure('hello'), undefined);
});

test('after a while without trims the average of the kernel counts again', async (t) => {
  const machine = new BusyMachine({ from: 60_000, to: 70_000, share: 0.9 });
  const { clock, read } = machine;
  const courtesy = new Courtesy({ clock, read });
  await courtesy.run(machine.discard, () => {});
  clock.pass(70_000 - clock.now());
  let paused = false;
  await courtesy.run(machine.discard, (now) => (paused ||= now));
  t.true(paused, 'it was busy until a moment ago');
});
