import { connect } from '@nodecore/api';
import { type TrimResponse, TrimState } from '@nodecore/api/trim';
import * as pki from '@nodecore/pki';
import { VolumeError } from '@nodecore/volumes';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { startNodeServer } from '../../../contract/api/test/node-server.ts';
import { trimService } from '../src/trims/trim-service.ts';
import type { TrimEvent } from '../src/trims/trim-event.ts';
import type { TrimRequestOptions } from '../src/trims/trim-request.ts';
import { callerWith } from './callers.ts';

const ca = await pki.createCA('test');
const identity = await pki.issueServer(ca, { names: ['127.0.0.1'] });
const operator = await pki.issueClient(ca, { roles: ['os:operator'] });

type Request = (
  ids: readonly string[],
  options: TrimRequestOptions,
) => AsyncGenerator<TrimEvent, void, undefined>;

async function setUp(t: ExecutionContext, request: Request) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const trims = trimService(
    { request },
    {
      log: pino({ level: 'trace' }, { write }),
      callerOf: () => callerWith('os:operator'),
      stopping: new AbortController().signal,
    },
  );
  const { endpoint } = await startNodeServer(t, { identity, ca: ca.crt, trims });
  const client = connect({ endpoint, ca: ca.crt, crt: operator.crt, key: operator.key });
  t.teardown(() => client.close());
  return { client, audit: () => lines.filter((line) => line['audit'] === true) };
}

async function all(events: AsyncIterable<TrimResponse>): Promise<TrimResponse[]> {
  const list: TrimResponse[] = [];
  for await (const event of events) list.push(event);
  return list;
}

const progress = {
  doneBytes: 1n << 60n,
  totalBytes: 1n << 61n,
  ranges: 7,
  trimmedBytes: 3n,
  longestRangeMs: 5,
  pausedMs: 1000,
};

test('what becomes of each volume is told, and who asked for it is in the log', async (t) => {
  const seen: unknown[] = [];
  const { client, audit } = await setUp(t, async function* (ids, { dryRun }) {
    seen.push([ids, dryRun]);
    yield { volume: 'u-a', state: 'trimming', disks: ['sda'], progress, message: '' };
    yield { volume: 'u-a', state: 'done', disks: ['sda'], progress, durationMs: 12.4, message: '' };
    const failure = { code: 'ERR_TRIM_DEVICE', permanence: 'transient', message: 'EIO' } as const;
    yield { volume: 'u-b', state: 'failed', disks: ['sdb'], ...failure };
  });
  const events = await all(client.trim({ volumes: ['u-a', 'u-b'] }));
  t.deepEqual(seen, [[['u-a', 'u-b'], false]]);
  t.like(events[0], { state: TrimState.RUNNING, doneBytes: 1n << 60n, totalBytes: 1n << 61n, ranges: 7 });
  t.like(events[1], { state: TrimState.DONE, durationMillis: 12n, pausedMillis: 1000n, trimmedBytes: 3n });
  t.like(events[2], { state: TrimState.FAILED, code: 'ERR_TRIM_DEVICE', permanence: 'transient' });
  t.like(audit()[0], { action: 'trim', volumes: ['u-a', 'u-b'], roles: ['os:operator'], outcome: 'begun' });
  t.like(audit()[1], { outcome: 'done', results: '{"u-a":"done","u-b":"ERR_TRIM_DEVICE"}' });
});

test('an unknown volume is not found, and nothing is begun', async (t) => {
  const { client, audit } = await setUp(t, (ids) => {
    throw new VolumeError('ERR_VOLUME_NOT_FOUND', ids.join(), 'there is no volume u-x', 'needs-operator');
  });
  await t.throwsAsync(all(client.trim({ volumes: ['u-x'] })), { code: 'ERR_API_NOT_FOUND' });
  t.deepEqual(audit(), []);
});

test('the end of the call reaches the trim', async (t) => {
  const ended = Promise.withResolvers<void>();
  const { client } = await setUp(t, async function* (_ids, { signal }) {
    signal.addEventListener('abort', () => ended.resolve());
    yield { volume: 'u-a', state: 'trimming', disks: ['sda'], message: '' };
    await ended.promise;
  });
  for await (const event of client.trim({})) {
    t.is(event.volume, 'u-a');
    break;
  }
  await ended.promise;
});
