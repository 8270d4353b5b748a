import { status } from '@grpc/grpc-js';
import {
  CaptureDirection,
  CaptureEnd,
  CaptureRequest,
  type CaptureRequestInit,
  type CaptureResponseInit,
} from '@nodecore/api/capture';
import { Batch, CaptureError, type CaptureStatistics, type OpenOptions } from '@nodecore/capture';
import { program } from '@nodecore/bpf';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { CaptureDirectory } from '../src/captures/capture-directory.ts';
import { Captures } from '../src/captures/captures.ts';
import type { Engine, LiveCapture } from '../src/captures/engine.ts';
import type { CallContext } from '../src/server/handlers.ts';
import { statusOf } from '../src/server/status.ts';
import { callerWith } from './callers.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const everything = program([{ code: 6, jt: 0, jf: 0, k: 0xffff }]);
const statistics = { seen: 12n, received: 5n, dropped: 7n, waiting: 0n, interfaces: [] };

/** Packets that a test hands out itself. */
class FakeCapture implements LiveCapture {
  readonly options: OpenOptions;
  readonly interfaces = [
    { name: 'eth0', linkType: 1 as const, snapLength: 100, filter: undefined, program: everything },
  ];
  disposed = false;
  readonly #batches: (Batch | Error)[] = [];
  #wake = Promise.withResolvers<void>();

  constructor(options: OpenOptions) {
    this.options = options;
    options.signal?.addEventListener('abort', () => this.#wake.resolve());
  }

  send(batch: Batch | Error): void {
    this.#batches.push(batch);
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Batch, void, undefined> {
    for (;;) {
      const next = this.#batches.shift();
      if (next instanceof Error) throw next;
      if (next !== undefined) yield next;
      else if (this.options.signal?.aborted === true || this.disposed) return;
      else {
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
    }
  }

  statistics = (): CaptureStatistics => statistics;

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
    this.#wake.resolve();
  }
}

/** @param refusal what opening a capture fails with. */
function setUp(refusal?: Error) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const opened: FakeCapture[] = [];
  const clock = new FakeClock();
  const engine: Engine = {
    interfaces: () => [{ name: 'eth0', index: 2, linkType: 1, loopback: false, up: true }],
    open: async (options) => {
      if (refusal !== undefined) throw refusal;
      const capture = new FakeCapture(options);
      opened.push(capture);
      return capture;
    },
    captureToFile: () => Promise.reject(new Error('not here')),
  };
  const captures = new Captures({
    log: pino({ level: 'trace' }, { write }),
    directory: new CaptureDirectory(() => Promise.reject(new Error('no state'))),
    apiPort: () => 50_000,
    engine,
    clock,
  });
  const gone = new AbortController();
  const context: CallContext = {
    caller: callerWith('os:capture'),
    peer: '192.0.2.7:4711',
    signal: gone.signal,
  };
  const run = (request: CaptureRequestInit = {}) => {
    const wire = CaptureRequest.decode(CaptureRequest.encode({ interfaces: ['eth0'], ...request }));
    return captures.run(wire, context);
  };
  const stop = (id: string) => captures.stop(id, context);
  return { captures, opened, clock, gone, run, lines, stop };
}

function batch(...sizes: readonly number[]): Batch {
  const records = sizes.map((size) => {
    const record = Buffer.alloc(16 + size);
    record.writeUInt32LE(size, 8);
    record.writeUInt32LE(size + 1, 12);
    return record;
  });
  return new Batch(Buffer.concat(records), sizes.length, 0);
}

async function next(messages: AsyncIterator<CaptureResponseInit>): Promise<CaptureResponseInit> {
  const { value } = await messages.next();
  return value as CaptureResponseInit;
}

test('what is sent is counted, and changed counts are told once per second', async (t) => {
  const { run, opened, clock, stop } = setUp();
  const messages = run();
  const { start } = await next(messages);
  opened[0]?.send(batch(40, 50));
  t.is((await next(messages)).data?.length, 122);
  const waiting = next(messages);
  clock.advance(1_000);
  const counts = { seen: 12n, received: 2n, dropped: 7n, bytes: 122n, truncated: 2n };
  t.deepEqual(await waiting, { progress: counts });
  const last = next(messages);
  clock.advance(1_000); // nothing new: nothing is said
  await stop(start?.id ?? '');
  t.like(await last, { report: { end: CaptureEnd.STOPPED, counts } });
  t.true((await messages.next()).done);
  t.true(opened[0]?.disposed);
  t.is(clock.sleepers, 0);
});

test('the packets of all captures are added up, of those that run and those that have ended', async (t) => {
  const { run, captures, opened, stop } = setUp();
  t.deepEqual(captures.totals, { seen: 0n, received: 0n, dropped: 0n, bytes: 0n });
  const messages = run();
  const { start } = await next(messages);
  opened[0]?.send(batch(40, 50));
  await next(messages);
  const once = { seen: 12n, received: 2n, dropped: 7n, bytes: 122n };
  t.deepEqual(captures.totals, once, 'while it runs');
  await stop(start?.id ?? '');
  await next(messages);
  await messages.next();
  t.deepEqual(captures.totals, once, 'when it has ended');
  await next(run());
  t.deepEqual(captures.totals, { ...once, seen: 24n, dropped: 14n }, 'with the next one');
});

test('a limit within a batch leaves out what follows it', async (t) => {
  const limited = [
    { request: { packets: 3n }, lengths: [122, 56], received: 3n, end: CaptureEnd.PACKETS },
    { request: { bytes: 177n }, lengths: [122], received: 2n, end: CaptureEnd.BYTES },
    { request: { bytes: 193n }, lengths: [122, 56], received: 3n, end: CaptureEnd.BYTES },
    { request: { bytes: 194n }, lengths: [122, 72], received: 4n, end: CaptureEnd.BYTES },
    { request: { bytes: 178n, packets: 3n }, lengths: [122, 56], received: 3n, end: CaptureEnd.PACKETS },
  ];
  for (const { request, lengths, received, end } of limited) {
    const { run, opened } = setUp();
    const messages = run(request);
    await next(messages);
    for (const sizes of [[40, 50], [40, 0, 30], [10]]) opened[0]?.send(batch(...sizes));
    const sent: number[] = [];
    let last = await next(messages);
    for (; last.data !== undefined; last = await next(messages)) sent.push(last.data.length);
    const bytes = BigInt(lengths.reduce((sum, length) => sum + length, 0));
    t.like(last, { report: { end, counts: { received, bytes, truncated: received } } });
    t.deepEqual(sent, lengths);
  }
});

test('a caller that has gone leaves nothing running', async (t) => {
  const { run, opened, gone, lines, clock, stop } = setUp();
  const messages = run();
  const { start } = await next(messages);
  gone.abort();
  await messages.return();
  t.true(opened[0]?.disposed);
  t.is(clock.sleepers, 0);
  t.like(lines.at(-1), { audit: true, outcome: 'done', end: 'gone', peer: '192.0.2.7:4711', dropped: '7' });
  await t.throwsAsync(stop(start?.id ?? ''), { code: 'ERR_CAPTURES_UNKNOWN' });
});

test('what a slow caller has not got two seconds after the end stays behind', async (t) => {
  const { run, opened, clock, stop } = setUp();
  const messages = run();
  const { start } = await next(messages);
  for (const size of [40, 50, 60]) opened[0]?.send(batch(size));
  await stop(start?.id ?? '');
  await next(messages);
  clock.advance(2_000);
  await new Promise((resolve) => setImmediate(resolve)); // whoever slept is awake
  t.like(await next(messages), { report: { counts: { received: 1n } } });
});

test('four captures run at once, and the fifth is refused until one has ended', async (t) => {
  const { run } = setUp();
  const running = [run(), run(), run(), run()];
  for (const messages of running) await next(messages);
  await t.throwsAsync(next(run()), { code: 'ERR_CAPTURES_BUSY' });
  await running[0]?.return();
  t.truthy((await next(run())).start);
});

test('an agent without the privileges says so, and does not blame the caller', async (t) => {
  const denied = new CaptureError(
    'ERR_CAPTURE_DENIED',
    'eth0: socket: EPERM; packet sockets need CAP_NET_RAW',
  );
  const { run, lines } = setUp(denied);
  const error = await t.throwsAsync(next(run()), { code: 'ERR_CAPTURE_DENIED' });
  t.like(statusOf(error), { code: status.FAILED_PRECONDITION, details: denied.message });
  t.like(lines.at(-1), { outcome: 'failed', code: 'ERR_CAPTURE_DENIED' });
});

test('a capture that fails sends its report first, and the audit has the code', async (t) => {
  const { run, opened, lines } = setUp();
  const messages = run();
  await next(messages);
  opened[0]?.send(batch(40));
  opened[0]?.send(new CaptureError('ERR_CAPTURE_INTERFACE_DOWN', 'eth0 is gone'));
  t.is((await next(messages)).data?.length, 56);
  t.like(await next(messages), { report: { end: CaptureEnd.FAILED, counts: { received: 1n } } });
  await t.throwsAsync(next(messages), { code: 'ERR_CAPTURE_INTERFACE_DOWN' });
  t.like(lines.at(-1), {
    outcome: 'failed',
    code: 'ERR_CAPTURE_INTERFACE_DOWN',
    end: 'failed',
    received: '1',
  });
});

test('an interface that went while others were captured is told after the report', async (t) => {
  const { stop, opened, run, lines } = setUp();
  const messages = run();
  const id = (await next(messages)).start?.id ?? '';
  const counts = { seen: 1n, received: 1n, dropped: 0n, waiting: 0n };
  const gone = new CaptureError('ERR_CAPTURE_INTERFACE_DOWN', 'eth0: it went away');
  const [capture] = opened;
  if (capture !== undefined)
    capture.statistics = () => ({ ...counts, interfaces: [{ ...counts, name: 'eth0', gone }] });
  await stop(id);
  t.like(await next(messages), { report: { end: CaptureEnd.STOPPED } });
  await t.throwsAsync(next(messages), {
    code: 'ERR_CAPTURE_INTERFACE_DOWN',
    message: 'capture: eth0: it went away; the others were captured to the end',
  });
  t.like(lines.at(-1), { outcome: 'failed', code: 'ERR_CAPTURE_INTERFACE_DOWN', end: 'stopped' });
});

test('the log has who asks for what before it is done', async (t) => {
  const { run, lines } = setUp();
  const instructions = [{ code: 6, k: 65_535 }];
  const messages = run({ instructions, direction: CaptureDirection.OUT, promiscuous: true });
  await next(messages);
  t.like(lines[0], {
    audit: true,
    action: 'capture',
    outcome: 'begun',
    interfaces: ['eth0'],
    filter: '1\n6 0 0 65535',
    direction: 'out',
    promiscuous: true,
    roles: ['os:capture'],
  });
  await messages.return();
});

test('requests that make no sense are refused before anything is opened', async (t) => {
  const { run, opened, lines } = setUp();
  const wrong: readonly (readonly [CaptureRequestInit, RegExp])[] = [
    [{ filter: 'tcp', instructions: [{ code: 6 }] }, /not both/],
    [{ interfaces: Array.from({ length: 17 }, (_, index) => `eth${index}`) }, /at most 16/],
    [{ durationMillis: 2 ** 32 - 1 }, /ms/],
    [{ direction: 9 as CaptureDirection }, /direction 9/],
    [{ format: 9 as never }, /format 9/],
    ...['', '../a', 'a/b', '.a', 'a\0', 'x'.repeat(101)].map(
      (name) => [{ file: { name } }, /no name of a file/] as const,
    ),
    [{ file: { name: 'a', keep: 3 } }, /goes with a size/],
    [{ file: { name: 'a', nextBytes: 1n } }, /at least/],
  ];
  for (const [request, message] of wrong)
    await t.throwsAsync(next(run(request)), { code: 'ERR_CAPTURES_REQUEST', message });
  t.deepEqual([opened, lines], [[], []]);
});

test('the port of the API is excepted, with a tag too, unless its traffic is asked for', async (t) => {
  const { run, opened } = setUp();
  const excepted = async (request: CaptureRequestInit): Promise<readonly string[] | undefined> => {
    const messages = run(request);
    await next(messages);
    await messages.return();
    return opened.at(-1)?.options.except;
  };
  t.deepEqual(await excepted({}), ['tcp port 50000', 'vlan and tcp port 50000']);
  t.deepEqual(await excepted({ interfaces: ['any'] }), ['tcp port 50000']);
  t.deepEqual(await excepted({ includeApiTraffic: true }), []);
});

const mebi = 1n << 20n;

async function room(t: ExecutionContext, freeBytes: bigint) {
  const path = await temporaryDirectory(t);
  const space = async () => ({ freeBytes, sizeBytes: 100n * mebi });
  return new CaptureDirectory(async () => path, space);
}

test('a file gets what the disk has beyond a reserve, and no two get the same', async (t) => {
  const directory = await room(t, 100n * mebi);
  const file = { name: 'a.pcap', nextBytes: 0n, keep: 0 };
  const first = await directory.place(file, 30n * mebi);
  t.is(first.maxBytes, 30n * mebi);
  const second = await directory.place(file, 0n);
  t.is(second.maxBytes, 6n * mebi);
  for (const bytes of [0n, 1n])
    await t.throwsAsync(directory.place(file, bytes), { code: 'ERR_CAPTURES_SPACE' });
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  t.is((await directory.place(file, 30n * mebi)).maxBytes, 30n * mebi);
});

test('a ring of files that would not fit is refused', async (t) => {
  const directory = await room(t, 100n * mebi);
  const ring = (keep: number) => ({ name: 'a.pcap', nextBytes: 10n * mebi, keep });
  await t.throwsAsync(directory.place(ring(3), 0n), {
    code: 'ERR_CAPTURES_SPACE',
    message: /room for \d+ bytes, not/,
  });
  t.is((await directory.place(ring(2), 0n)).maxBytes, 30n * mebi);
});
