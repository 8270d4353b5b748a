import { failure } from '@nodecore/api';
import {
  type EventsRequest,
  type EventsResponseInit,
  MachineStage,
  type NodeEventInit,
  SequenceAction,
  SequenceErrorCode,
  ServiceAction,
} from '@nodecore/api/event';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const idOf = (number: number): string => number.toString(16).padStart(20, '0');

function event(number: number, data: NodeEventInit['data'], actorId = ''): NodeEventInit {
  return { id: idOf(number), actorId, bootId: 'boot', timeMillis: 1_764_000_000_000n, data: data ?? {} };
}

/** A node that gives each call the next of these answers; the last one ends the stream in order, those before as a lost connection. */
async function eventNode(t: ExecutionContext, calls: readonly (readonly EventsResponseInit[])[]) {
  const asked: EventsRequest[] = [];
  const left = [...calls];
  const node = await startFakeNode(t, {
    events: {
      events: (call) => {
        asked.push(call.request);
        for (const answer of left.shift() ?? []) call.write(answer);
        if (left.length === 0) call.end();
        else call.emit('error', failure(status.UNAVAILABLE, 'going down'));
      },
    },
  });
  return { ...node, asked, env: await clientConfig(t, { endpoints: [node.endpoint] }) };
}

test('each event is one row, whatever it is, and names of a node move no cursor', async (t) => {
  const unmetConditions = [{ name: 'volumes', reason: 'EPHEMERAL is waiting\u001b[2J' }];
  const error = { code: SequenceErrorCode.LOCKED, message: 'an upgrade runs' };
  const events = [
    event(1, { sequence: { sequence: 'reboot', action: SequenceAction.START } }, 'me'),
    event(2, { phase: { phase: 'stopServices' } }, 'me'),
    event(3, { task: { task: 'kvstore', action: 1 } }, 'me'),
    event(4, { service: { service: 'etcd', action: ServiceAction.FAILED, message: 'exit code 1' } }),
    event(5, { restart: { cmd: 0x1234567n, reason: 'Secure Boot is on' } }),
    event(6, { configValidationError: { error: 'line 3: no such field' } }),
    event(7, { address: { hostname: 'n1', addresses: ['10.0.0.2', 'fd00::2'] } }),
    event(8, {
      machineStatus: { stage: MachineStage.SHUTTING_DOWN, status: { ready: false, unmetConditions } },
    }),
    event(9, { sequence: { sequence: 'reboot', action: SequenceAction.STOP, error } }),
    { ...event(10, {}), lost: 3n },
  ];
  const { env, endpoint, asked } = await eventNode(t, [[{ cursor: '' }, { events, cursor: idOf(10) }]]);
  const { code, out, error: said } = await osctl(['events', '--tail', '-1', '--follow=false'], { env });
  t.is(code, 0, said);
  t.like(asked[0], { tailEvents: -1, pastOnly: true });
  const cells = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/u));
  t.deepEqual(cells[0], ['NODE', 'ID', 'EVENT', 'ACTOR', 'SOURCE', 'MESSAGE']);
  t.deepEqual(
    cells.slice(1).map(([node, ...row]) => (node === endpoint ? row.join('|') : node)),
    [
      `${idOf(1)}|sequence|me|reboot|start`,
      `${idOf(2)}|phase|me|stopServices|start`,
      `${idOf(3)}|task|me|kvstore|stop`,
      `${idOf(4)}|service|etcd|failed: exit code 1`,
      `${idOf(5)}|restart|reboot(0x1234567): Secure Boot is on`,
      `${idOf(6)}|configValidationError|line 3: no such field`,
      `${idOf(7)}|address|n1|10.0.0.2, fd00::2`,
      `${idOf(8)}|machineStatus|shuttingDown|not ready; volumes: EPHEMERAL is waiting?[2J`,
      `${idOf(9)}|sequence|reboot|stop: locked: an upgrade runs`,
      'lost|3 events that nobody could keep',
      `${idOf(10)}|unknown|of a newer node`,
    ],
  );
});

test('programs get one object a line, of several nodes in one stream', async (t) => {
  const events = [event(1, { task: { task: 'a' } }, 'me')];
  const one = await eventNode(t, [[{ events, cursor: idOf(1) }]]);
  const other = await eventNode(t, [[{ events, cursor: idOf(1) }]]);
  const env = await clientConfig(t, { endpoints: [one.endpoint, other.endpoint] });
  const nodes = ['-n', one.endpoint, '-n', other.endpoint];
  const { code, out, error } = await osctl([...nodes, 'events', '--follow=false', '-o', 'json'], { env });
  t.is(code, 0, error);
  const objects = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.deepEqual(new Set(objects.map(({ node }) => node)), new Set([one.endpoint, other.endpoint]));
  t.like(objects[0], {
    id: idOf(1),
    time: '2025-11-24T16:00:00.000Z',
    bootId: 'boot',
    actorId: 'me',
    event: 'task',
    source: 'a',
    message: 'start',
    data: { task: { task: 'a' } },
  });
});

test('after a lost connection it goes on behind the last event, and says so', async (t) => {
  const node = await eventNode(t, [
    [{ cursor: idOf(7) }],
    [{ cursor: idOf(7) }, { events: [event(8, { task: { task: 'a' } })], cursor: idOf(8) }],
    [{ events: [event(9, { task: { task: 'b' } })], cursor: idOf(9) }],
  ]);
  const arguments_ = [
    'events',
    '--duration',
    '1m30s',
    '--actor-id',
    'me',
    '--follow=false',
    '-o',
    'jsonpath={.id}',
  ];
  const { code, out, error } = await osctl(arguments_, { env: node.env });
  t.is(code, 0, error);
  t.deepEqual(out.match(/[0-9a-f]{20}/gu), [idOf(8), idOf(9)]);
  t.is(error.match(/connecting again/gu)?.length, 2, error);
  t.deepEqual(
    node.asked.map(({ tailId, tailSeconds, withActorId }) => [tailId, tailSeconds, withActorId]),
    [
      ['', 90, 'me'],
      [idOf(7), 0, 'me'],
      [idOf(8), 0, 'me'],
    ],
  );
});

test('what a node has not kept ends the command with that reason', async (t) => {
  const refusal = failure(status.OUT_OF_RANGE, 'there is no event any more', { code: 'ERR_EVENT_GONE' });
  const node = await startFakeNode(t, { events: { events: (call) => void call.emit('error', refusal) } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { code, error } = await osctl(['events', '--since', idOf(1)], { env });
  t.is(code, 1);
  t.regex(error, /there is no event any more/u);
});

test('ways into the past exclude each other, and a number is one', async (t) => {
  const env = await clientConfig(t, { endpoints: ['127.0.0.1:1'] });
  for (const words of [
    ['--tail', '3', '--since', idOf(1)],
    ['--tail', '3', '--duration', '1s'],
    ['--duration', '1s', '--since', idOf(1)],
    ['--tail', '-2'],
    ['--tail', 'all'],
  ]) {
    const { code, error } = await osctl(['events', ...words], { env });
    t.is(code, 2, `${words.join(' ')}: ${error}`);
  }
});
