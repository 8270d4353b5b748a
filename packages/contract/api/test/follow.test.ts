import test from 'ava';
import { ApiError, follow, type ApiErrorCode, type Change, type Client } from '../src/index.ts';
import {
  EventType,
  type Bookmark,
  type Event,
  type WatchRequestInit,
  type WatchResponse,
} from '../gen/resource.js';

/** One connection: what the node sends, and how it ends. */
type Connection = { readonly events: readonly Event[]; readonly error?: ApiErrorCode };

function resource(id: string, version = 1n, spec = '{}'): NonNullable<Event['resource']> {
  return {
    metadata: {
      namespace: 'runtime',
      type: 'T',
      id,
      version,
      owner: '',
      phase: 1,
      createdMillis: 0n,
      updatedMillis: 0n,
      labels: {},
      annotations: {},
      finalizers: [],
    },
    spec: Buffer.from(spec),
  };
}

function event(type: keyof typeof EventType, revision: bigint, of?: Event['resource']): Event {
  return {
    type: EventType[type],
    bookmark: { epoch: 'e', revision },
    error: '',
    ...(of === undefined ? {} : { resource: of }),
  };
}

/** Follows a node that sends the connections one after the other and then waits; gives what was seen. */
async function followed(
  connections: readonly Connection[],
): Promise<{ seen: string[]; asked: (Bookmark | undefined)[]; interruptions: number }> {
  const asked: (Bookmark | undefined)[] = [];
  const abort = new AbortController();
  const left = [...connections];
  async function* watch(request: WatchRequestInit): AsyncGenerator<WatchResponse, void, void> {
    asked.push(request.bookmark as Bookmark | undefined);
    const connection = left.shift();
    if (connection === undefined) {
      abort.abort();
      abort.signal.throwIfAborted();
    }
    for (const each of connection!.events) yield { events: [each] };
    if (connection!.error !== undefined) throw new ApiError(connection!.error, 'lost', { endpoint: 'node' });
  }
  const seen: string[] = [];
  let interruptions = 0;
  const onInterruption = (): void => void (interruptions += 1);
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  try {
    const client: Pick<Client, 'watch'> = { watch };
    const options = { signal: abort.signal, clock, onInterruption };
    for await (const changes of follow(client, { type: 'T' }, options)) seen.push(...changes.map(describe));
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  }
  return { seen, asked, interruptions };
}

function describe(change: Change): string {
  if (change.kind === 'bootstrapped') return 'bootstrapped';
  return `${change.kind} ${change.resource.metadata!.id} ${change.resource.metadata!.version}`;
}

const beginning = [
  event('CREATED', 1n, resource('a')),
  event('CREATED', 2n, resource('b')),
  event('BOOTSTRAPPED', 2n),
];

test('after a lost connection the watch goes on from the last event', async (t) => {
  const { seen, asked } = await followed([
    { events: [...beginning, event('UPDATED', 3n, resource('a', 2n))], error: 'ERR_API_UNREACHABLE' },
    { events: [event('DESTROYED', 4n, resource('b', 2n))] },
  ]);
  t.deepEqual(seen, ['created a 1', 'created b 1', 'bootstrapped', 'updated a 2', 'destroyed b 2']);
  t.deepEqual(
    asked.map((bookmark) => bookmark?.revision),
    [undefined, 3n, 4n],
  );
});

for (const [title, first] of [
  ['the node no longer has the events', { events: beginning, error: 'ERR_API_UNREACHABLE' }],
  ['the watch was too slow', { events: [...beginning, event('ERRORED', 9n)] }],
] as const)
  test(`when ${title}, the difference to what was reported is reported`, async (t) => {
    const { seen } = await followed([
      first,
      ...(first.events.length === 3 ? [{ events: [], error: 'ERR_API_BOOKMARK' } as const] : []),
      {
        events: [
          event('CREATED', 11n, resource('a')), // as before
          event('CREATED', 12n, resource('c')),
          event('BOOTSTRAPPED', 12n),
          event('UPDATED', 13n, resource('a', 2n)),
        ],
      },
    ]);
    t.deepEqual(seen, [
      'created a 1',
      'created b 1',
      'bootstrapped',
      'destroyed b 1',
      'created c 1',
      'updated a 2',
    ]);
  });

test('the same version with other content, as after a restart of the agent, is an update', async (t) => {
  const { seen } = await followed([
    { events: beginning, error: 'ERR_API_UNREACHABLE' },
    { events: [], error: 'ERR_API_BOOKMARK' },
    {
      events: [
        event('CREATED', 1n, resource('a', 1n, '{"size":1}')),
        event('CREATED', 2n, resource('b')),
        event('BOOTSTRAPPED', 2n),
      ],
    },
  ]);
  t.deepEqual(seen.slice(3), ['updated a 1']);
});

test('a connection lost in the middle of the beginning begins anew and reports nothing twice', async (t) => {
  const { seen, asked } = await followed([
    { events: beginning.slice(0, 1), error: 'ERR_API_UNREACHABLE' },
    { events: beginning },
  ]);
  t.deepEqual(seen, ['created a 1', 'created b 1', 'bootstrapped']);
  t.is(asked[1], undefined);
});

test('what is in the way is told once, and anew when there was an event meanwhile', async (t) => {
  const lost = { events: [], error: 'ERR_API_UNREACHABLE' } as const;
  const { interruptions } = await followed([
    { events: [event('BOOTSTRAPPED', 1n)], error: 'ERR_API_UNREACHABLE' },
    lost,
    lost,
    { events: [event('CREATED', 2n, resource('a'))], error: 'ERR_API_UNREACHABLE' },
    lost,
  ]);
  t.is(interruptions, 2);
});

test('a failure before the first event is thrown, and later one that trying again cannot mend', async (t) => {
  await t.throwsAsync(followed([{ events: [], error: 'ERR_API_UNREACHABLE' }]), {
    code: 'ERR_API_UNREACHABLE',
  });
  await t.throwsAsync(followed([{ events: beginning, error: 'ERR_API_DENIED' }]), { code: 'ERR_API_DENIED' });
});
