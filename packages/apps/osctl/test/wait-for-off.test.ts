import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';

import { connect } from '@nodecore/api';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { type Answer, knock } from '../src/lifecycle/knock.ts';
import { waitForOff } from '../src/lifecycle/wait-for-off.ts';
import type { Target } from '../src/nodes/target.ts';

/** Where nothing listens. */
async function free(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A node whose API is silent, at an address that answers so. */
async function silent(t: ExecutionContext, host: string | undefined, answers: readonly Answer[]) {
  const client = connect({ endpoint: `127.0.0.1:${await free()}`, insecure: true });
  t.teardown(() => client.close());
  const target: Target = {
    name: 'node',
    client,
    node: undefined,
    direct: false,
    ...(host !== undefined && { endpoint: { host, port: 50000 } }),
  };
  const clock = new FakeClock();
  const asked: Answer[] = [];
  const ask = async (): Promise<Answer> => {
    setImmediate(() => clock.skip());
    const answer = answers[asked.length] ?? answers.at(-1)!;
    asked.push(answer);
    return answer;
  };
  const { signal } = new AbortController();
  const { words: told, state } = await waitForOff(target, {
    before: 'first',
    signal,
    tell: () => {},
    debug: false,
    clock,
    ask,
  });
  return { told, state, asked };
}

test('a machine whose kernel still refuses connections is waited for until nothing answers', async (t) => {
  const { told, state, asked } = await silent(t, '192.0.2.1', ['open', 'refused', 'refused', 'nothing']);
  t.is(told, 'is off: nothing answers at its address');
  t.is(state, 'off');
  t.is(asked.length, 4);
});

test('what stands before a machine and stays is waited for with an end, which says so', async (t) => {
  const { told, state, asked } = await silent(t, '192.0.2.1', ['open']);
  t.regex(told, /its address still does, so the machine may not be off yet/u);
  t.is(state, 'addressAnswers');
  t.is(asked.length, 30);
});

test('a door of this computer that stays open is not looked at for long', async (t) => {
  const { state, asked } = await silent(t, '127.0.0.2', ['open']);
  t.is(state, 'addressAnswers');
  t.is(asked.length, 5);
});

test('an address of this computer is refused by our own kernel, which says nothing of a machine', async (t) => {
  for (const host of ['127.0.0.2', '::1', 'localhost'])
    t.deepEqual(await silent(t, host, ['refused']), {
      told: 'does not answer any more',
      state: 'silent',
      asked: ['refused'],
    });
});

test('of a node that somebody passes calls on to, silence is all that is known', async (t) => {
  t.deepEqual(await silent(t, undefined, []), {
    told: 'does not answer any more',
    state: 'silent',
    asked: [],
  });
});

test('an address says whether somebody listens', async (t) => {
  const { signal } = new AbortController();
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  t.is(await knock({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }, signal), 'open');
  t.is(await knock({ host: '127.0.0.1', port: await free() }, signal), 'refused');
});
