import { failure } from '@nodecore/api';
import {
  type TrimRequest,
  type TrimResponseInit,
  TrimState,
  type TrimServiceHandlers,
} from '@nodecore/api/trim';
import { shortSize } from '@nodecore/cli';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

async function node(t: ExecutionContext, events: readonly TrimResponseInit[], seen: TrimRequest[] = []) {
  const trims: Partial<TrimServiceHandlers> = {
    trim: (call) => {
      seen.push(call.request);
      for (const event of events) call.write(event);
      call.end();
    },
  };
  const { endpoint } = await startFakeNode(t, { trims });
  return { endpoint, env: await clientConfig(t, { endpoints: [endpoint] }) };
}

const gb = 1_000_000_000n;
const running = (volume: string, percent: bigint): TrimResponseInit => ({
  volume,
  state: TrimState.RUNNING,
  doneBytes: percent * 2n * gb,
  totalBytes: 200n * gb,
  ranges: Number(percent),
});
const done: TrimResponseInit = {
  volume: 'u-a',
  state: TrimState.DONE,
  disks: ['sda'],
  doneBytes: 200n * gb,
  totalBytes: 200n * gb,
  trimmedBytes: 12_345_678_901n,
  ranges: 100,
  durationMillis: 61_234n,
  pausedMillis: 30_000n,
};

test('a trim shows how far it is, a line per tenth, and then what came of it', async (t) => {
  const seen: TrimRequest[] = [];
  const percents = Array.from({ length: 25 }, (_, index) => running('u-a', BigInt(index)));
  const waiting = { volume: 'u-b', state: TrimState.QUEUED, message: 'waits for sda' };
  const skipped = {
    volume: 'u-c',
    state: TrimState.SKIPPED,
    code: 'read-only',
    message: 'it is mounted read-only',
  };
  const paused = { ...running('u-a', 25n), state: TrimState.PAUSED };
  const { endpoint, env } = await node(
    t,
    [skipped, ...percents, waiting, paused, done, { ...done, volume: 'u-b' }],
    seen,
  );
  const { code, out, error } = await osctl(['trim'], { env });
  t.is(code, 0, 'nobody named the volume that was skipped');
  t.deepEqual(seen, [{ volumes: [], dryRun: false }]);
  t.deepEqual(error.split('\n'), [
    `${endpoint}: u-a [....................] 0 % of 200 GB`,
    `${endpoint}: u-a [##..................] 10 % of 200 GB`,
    `${endpoint}: u-a [####................] 20 % of 200 GB`,
    `${endpoint}: u-a [#####...............] 24 % of 200 GB   u-b waits for sda`,
    `${endpoint}: u-a [#####...............] 25 % of 200 GB, paused: others wait for I/O   u-b waits for sda`,
    `${endpoint}: u-b waits for sda`,
    '',
  ]);
  const [header, a, b, c] = out.split('\n');
  t.regex(header ?? '', /^NODE +VOLUME +RESULT +TRIMMED +RANGES +SECONDS +DETAILS$/);
  t.regex(a ?? '', / u-a +done +12\.3 GB +100 +61\.2 +paused 30 s for others$/);
  t.regex(b ?? '', / u-b +done /);
  t.regex(c ?? '', / u-c +skipped +it is mounted read-only$/);
});

test('a volume that was named and not trimmed is a failure', async (t) => {
  const failed = {
    volume: 'u-a',
    state: TrimState.FAILED,
    code: 'ERR_TRIM_DEVICE',
    permanence: 'transient',
    message: 'FITRIM: EIO',
  };
  const skipped = {
    volume: 'u-b',
    state: TrimState.SKIPPED,
    code: 'encryption',
    message: 'opened without allowDiscards',
  };
  for (const events of [[failed], [skipped]]) {
    const { env } = await node(t, events);
    const { code, error } = await osctl(['trim', events[0]?.volume ?? ''], { env });
    t.is(code, 1);
    t.is(error, 'osctl: 1 of 1 volumes were not trimmed\n');
  }
  const { env } = await node(t, [failed]);
  t.is((await osctl(['trim'], { env })).code, 1);
});

test('programs get what became of each volume as JSON, sizes as numbers', async (t) => {
  const { endpoint, env } = await node(t, [done]);
  const { code, out } = await osctl(['trim', 'u-a', '-o', 'json'], { env });
  t.is(code, 0);
  t.deepEqual(JSON.parse(out), [
    {
      node: endpoint,
      volume: 'u-a',
      state: 'done',
      disks: ['sda'],
      message: '',
      ranges: 100,
      trimmedBytes: 12_345_678_901,
      pausedMs: 30_000,
      durationMs: 61_234,
    },
  ]);
});

test('a dry run asks for one, and prints what would be done', async (t) => {
  const seen: TrimRequest[] = [];
  const planned = {
    volume: 'u-a',
    state: TrimState.PLANNED,
    disks: ['sda'],
    message: 'would trim 2.1 GB on sda',
  };
  const { env } = await node(t, [planned], seen);
  const { code, out, error } = await osctl(['trim', 'u-a', '--dry-run'], { env });
  t.is(code, 0);
  t.like(seen[0], { volumes: ['u-a'], dryRun: true });
  t.regex(out, / u-a +planned +would trim 2\.1 GB on sda\n$/);
  t.is(error, '');
});

test('a volume that the node does not know is exit code 3', async (t) => {
  const { endpoint } = await startFakeNode(t, {
    trims: { trim: (call) => void call.emit('error', failure(status.NOT_FOUND, 'there is no volume u-x')) },
  });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const { code, error } = await osctl(['trim', 'u-x'], { env });
  t.is(code, 3);
  t.regex(error, /there is no volume u-x/);
});

test('sizes are short and never rounded to four digits', (t) => {
  const sizes: readonly (readonly [bigint, string])[] = [
    [0n, '0 B'],
    [999n, '999 B'],
    [1000n, '1.00 kB'],
    [999_499n, '999 kB'],
    [999_500n, '1.00 MB'],
    [1_290_166_272n, '1.29 GB'],
    [99_960_000_000n, '100 GB'],
    [2n ** 64n, '18.4 EB'],
  ];
  for (const [bytes, text] of sizes) t.is(shortSize(bytes), text);
});

test('flags and ids of volumes are completed', async (t) => {
  const specs = { 'VolumeStatuses.block.nodecore.dev': { 'u-data': {}, 'u-logs': {} } };
  const { endpoint } = await startFakeNode(t, { specs });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const complete = async (...words: string[]): Promise<string[]> => {
    const { out } = await osctl(['__complete', '--', 'trim', ...words], { env });
    return out.split('\n').flatMap((line) => line.split('\t')[0] || []);
  };
  t.deepEqual(await complete('--d'), ['--dry-run']);
  t.deepEqual(await complete(''), ['u-data', 'u-logs']);
  t.deepEqual(await complete('u-data', ''), ['u-logs']);
});
