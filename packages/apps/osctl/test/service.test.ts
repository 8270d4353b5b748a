import { failure } from '@nodecore/api';
import type {
  LogsRequest,
  LogsResponseInit,
  ServiceInfoInit,
  SupervisorServiceHandlers,
} from '@nodecore/api/service';
import test, { type ExecutionContext } from 'ava';

import { age } from '../src/service/age.ts';
import { Lines } from '../src/logs/lines.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const health = { unknown: false, healthy: false, lastMessage: 'no leader', lastChangeMillis: 1n };
/** When it is asked: ages are those of then. */
const services = (): ServiceInfoInit[] => [
  {
    id: 'etcd',
    state: 'Running',
    pid: 7,
    health,
    events: [
      { state: 'Starting', message: 'etcd', timeMillis: BigInt(Date.now() - 90_000) },
      { state: 'Running', message: 'process 7\u001b[2J', timeMillis: BigInt(Date.now() - 3_700_000) },
    ],
  },
  { id: 'x', state: 'Waiting', health: { unknown: true } },
];

async function machine(t: ExecutionContext, handlers: Partial<SupervisorServiceHandlers> = {}) {
  const node = await startFakeNode(t, {
    services: {
      serviceList: (_call, answer) => answer(null, { services: services() }),
      serviceRestart: ({ request: { id, namespace } }, answer) => {
        if (namespace === 'orch')
          answer(failure(status.FAILED_PRECONDITION, 'no container runtime on this node'));
        else answer(null, { response: `Service "${id}" restarted` });
      },
      serviceStop: ({ request: { id } }, answer) =>
        answer(failure(status.FAILED_PRECONDITION, `service "${id}" doesn't support stop operation via API`)),
      ...handlers,
    },
  });
  return { endpoint: node.endpoint, env: await clientConfig(t, { endpoints: [node.endpoint] }) };
}

test('services are listed with state, health and what happened last', async (t) => {
  const { env, endpoint } = await machine(t);
  const { code, out, error } = await osctl(['service'], { env });
  t.is(code, 0, error);
  t.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/u)),
    [
      ['NODE', 'SERVICE', 'STATE', 'HEALTH', 'LAST CHANGE', 'LAST EVENT'],
      [endpoint, 'etcd', 'Running', 'Fail', '1h1m ago', 'process 7?[2J'],
      [endpoint, 'x', 'Waiting', '?'],
    ],
  );
  const json = await osctl(['services', '-o', 'json'], { env });
  t.like(JSON.parse(json.out), [
    { node: endpoint, id: 'etcd', health: 'Fail', pid: 7 },
    { id: 'x', health: '?' },
  ]);
});

test('one service is shown with its history, newest first', async (t) => {
  const { env, endpoint } = await machine(t);
  const { out } = await osctl(['service', 'etcd'], { env });
  t.is(
    out,
    [
      `NODE                  ${endpoint}`,
      'ID                    etcd',
      'STATE                 Running',
      'HEALTH                Fail',
      'LAST HEALTH MESSAGE   no leader',
      'EVENTS                [Running]: process 7?[2J (1h1m ago)',
      '                      [Starting]: etcd (1m30s ago)',
      '',
    ].join('\n'),
  );
  const none = await osctl(['service', 'y'], { env });
  t.is(none.code, 3);
  t.regex(none.error, /service "y" not defined/u);
});

test('an operation prints what the node says, and a refused one ends with its words', async (t) => {
  const { env, endpoint } = await machine(t);
  const done = await osctl(['service', 'etcd', 'restart'], { env });
  t.deepEqual(done.out.trimEnd().split(/\n| {2,}/u), [
    'NODE',
    'RESPONSE',
    endpoint,
    'Service "etcd" restarted',
  ]);
  const refused = await osctl(['service', 'etcd', 'stop'], { env });
  t.is(refused.code, 1);
  t.regex(refused.error, /service "etcd" doesn't support stop operation via API/u);
  t.is((await osctl(['service', 'etcd', 'kill'], { env })).code, 2);
  t.deepEqual(await osctl(['restart', 'etcd'], { env }), { code: 0, out: '', error: '' });
  const pod = await osctl(['restart', '-k', 'a'], { env });
  t.regex(pod.error, /--orch is deprecated: use --namespace orch\n.*no container runtime on this node/u);
});

/** A node that gives each call the next of these answers; the last one ends in order, those before as a lost connection. */
async function logNode(t: ExecutionContext, calls: readonly (readonly LogsResponseInit[])[]) {
  const asked: LogsRequest[] = [];
  const left = [...calls];
  const node = await machine(t, {
    logs: (call) => {
      asked.push(call.request);
      for (const answer of left.shift() ?? []) call.write(answer);
      if (left.length === 0) call.end();
      else call.emit('error', failure(status.UNAVAILABLE, 'going down'));
    },
  });
  return { ...node, asked };
}

function piece(text: string, offset: number, lost = 0): LogsResponseInit {
  return { data: Buffer.from(text, 'latin1'), offset: BigInt(offset), lost: BigInt(lost), bootId: 'first' };
}

test('lines come behind the name of their node, whatever pieces they come in, and move no cursor', async (t) => {
  const pieces = [piece('one\ttab\r\ntw', 0), piece('o\u001b[2J\xff\n', 11), piece('last', 20)];
  const { env, endpoint, asked } = await logNode(t, [pieces]);
  const { out, error } = await osctl(['logs', 'etcd', '--tail', '7'], { env });
  t.is(out, `${endpoint}: one\ttab\n${endpoint}: two?[2J\ufffd\n${endpoint}: last\n`, error);
  t.like(asked[0], { id: 'etcd', tailLines: 7, follow: false });
  const json = await logNode(t, [pieces]);
  const objects = await osctl(['logs', 'etcd', '-o', 'json'], { env: json.env });
  t.like(JSON.parse(objects.out.split('\n')[1]!), { id: 'etcd', line: 'two\u001b[2J\ufffd' });
  t.is(json.asked[0]!.tailLines, undefined);
});

test('raw bytes are what they were', async (t) => {
  const { env } = await logNode(t, [[piece('a\0b', 0), piece('c\n', 3)]]);
  t.is((await osctl(['logs', 'etcd', '--raw'], { env })).out, 'a\0bc\n');
  t.is((await osctl(['logs', 'etcd', '--raw', '-o', 'json'], { env })).code, 2);
});

test('who follows goes on behind the last byte when the connection was lost, and is told of bytes that are', async (t) => {
  const { env, asked } = await logNode(t, [[piece('one\n', 100)], [piece('two\n', 204, 100)]]);
  const { out, error } = await osctl(['logs', 'etcd', '-f', '--tail', '1'], { env });
  t.regex(out, /one\n.*two\n$/su);
  t.deepEqual(
    asked.map(({ tailLines, fromOffset, fromBootId }) => [tailLines, fromOffset, fromBootId]),
    [
      [1, undefined, ''],
      [1, 104n, 'first'],
    ],
  );
  t.regex(error, /100 bytes of the log are lost/u);
});

test('a log that ends with an error is no whole log', async (t) => {
  const { env, endpoint } = await logNode(t, [[piece('one\n', 0)], []]);
  const { code, out } = await osctl(['logs', 'etcd'], { env });
  t.is(out, `${endpoint}: one\n`);
  t.not(code, 0);
});

test('a line without an end is cut between signs, whatever the bytes', (t) => {
  for (const text of ['é'.repeat(100_000), `x${'é'.repeat(100_000)}`, `xx${'😀'.repeat(50_000)}`]) {
    const lines = new Lines();
    const parts = [...lines.add(Buffer.from(text)), ...lines.end()].map((part) =>
      Buffer.from(part).toString(),
    );
    t.true(parts.length > 1 && parts.every((part) => Buffer.byteLength(part) <= 64 << 10));
    t.is(parts.join(''), text);
  }
  const bytes = Buffer.alloc(100_000, 0x80);
  const lines = new Lines();
  t.deepEqual(Buffer.concat([...lines.add(bytes), ...lines.end()]), bytes);
});

test('an age has its two largest units', (t) => {
  const shown = [0, 1, 59, 60, 61, 3600, 3661, 86_400, 90_061].map((seconds) =>
    age('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:00:00.000Z') + seconds * 1000),
  );
  t.deepEqual(shown, ['0s', '1s', '59s', '1m', '1m1s', '1h', '1h1m', '1d', '1d1h']);
  t.is(age('2026-01-01T00:00:00.000Z', 0), '0s');
});
