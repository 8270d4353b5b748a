import { once } from 'node:events';

import test from 'ava';

import { createLinkIdentity, type FleetSession, machineId, publicKeyOf } from '../src/index.ts';
import { type Fleet, facts, fleet, machine, token } from './scene.ts';

const accepted = { state: 'accepted', certificate: 'CERT', fleetCA: 'CA', renewAfter: 60 } as const;

test('a machine that knows the fleet by a pinned authority shows its key, its token and its facts', async (t) => {
  const there = await fleet(t);
  const answers: unknown[] = [];
  const { states, identity } = await machine(t, there.port, `fleetca=${there.pin}`, {
    handlers: { answered: (answer) => (answers.push(answer), Promise.resolve()) },
  });
  const session = await there.session();
  const { request, answer } = await session.provision();
  t.is(request.machine, machineId(publicKeyOf(identity)));
  t.like(request.facts, facts);
  t.is(request.joinToken, token);
  t.regex(request.csr, /BEGIN CERTIFICATE REQUEST/u);
  await answer({ state: 'pending' });
  await states.reach('pending');
  await answer(accepted);
  await states.reach('accepted');
  t.deepEqual(answers, [{ state: 'pending' }, accepted]);
});

test('the id of a machine is a UUID of version 8 that depends on its key alone', async (t) => {
  const identity = await createLinkIdentity();
  const id = machineId(publicKeyOf(identity));
  t.regex(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  t.is(id, machineId(publicKeyOf(identity)));
  t.not(id, machineId(publicKeyOf(await createLinkIdentity())));
});

test('bytes go both ways through a target that is on the list, and no other target opens', async (t) => {
  const there = await fleet(t);
  await machine(t, there.port, `fleetca=${there.pin}`);
  const session = await there.session();
  const stream = await session.connect('node:50000');
  stream.write('hello');
  t.is(String((await once(stream, 'data'))[0]), 'hello');
  stream.destroy();
  for (const target of ['localhost:22', 'node:50001', '127.0.0.1:50000', 'NODE:50000'])
    await t.throwsAsync(session.connect(target), { code: 'ERR_LINK_TARGET' }, target);
});

test('events and lines of the log come in order until the link ends', async (t) => {
  const there = await fleet(t);
  await machine(t, there.port, `fleetca=${there.pin}`, {
    handlers: {
      events: async function* () {
        yield { stage: 'booting' };
        yield { stage: 'running' };
      },
      logs: async function* () {
        yield 'first';
        yield 'a line\nthat is two';
      },
    },
  });
  const session = await there.session();
  t.deepEqual(await Array.fromAsync(session.events()), [{ stage: 'booting' }, { stage: 'running' }]);
  t.deepEqual((await Array.fromAsync(session.logs())).map(String), ['first', 'a line that is two']);
});

test('two hundred machines are linked to one fleet, each with its own id', async (t) => {
  const there = await fleet(t);
  const count = 200;
  const machines = await Promise.all(
    Array.from({ length: count }, () => machine(t, there.port, `fleetca=${there.pin}`)),
  );
  const ids = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const session = await there.session();
    const { request, answer } = await session.provision();
    ids.add(request.machine);
    await answer(accepted);
  }
  await Promise.all(machines.map(({ states }) => states.reach('accepted')));
  const expected = machines.map(({ identity }) => machineId(publicKeyOf(identity)));
  t.deepEqual([...ids].toSorted(), expected.toSorted());
});

test('a machine comes back after its fleet broke off, without an answer to keep it away', async (t) => {
  const there = await fleet(t);
  const { states } = await machine(t, there.port, `fleetca=${there.pin}`);
  await accept(there);
  await states.reach('accepted');
  for (const socket of there.sockets) socket.destroy();
  await accept(there);
  await states.reach('accepted', 2);
  const { delayMs } = await states.reach('waiting');
  t.true(delayMs >= 500 && delayMs <= 1_000, `${delayMs}`);
});

test('a machine that is denied waits as long as the fleet says', async (t) => {
  const there = await fleet(t);
  const { states } = await machine(t, there.port, `fleetca=${there.pin}`);
  const session = await there.session();
  const { answer } = await session.provision();
  await answer({ state: 'denied', reason: 'the join token is revoked', retryAfter: 120 });
  await states.reach('denied');
  session.close();
  t.like(await states.reach('waiting'), {
    code: 'ERR_LINK_DENIED',
    reason: 'the join token is revoked',
    delayMs: 120_000,
  });
});

test('attempts that fail are ever further apart, up to half a minute', async (t) => {
  const there = await fleet(t);
  const { states } = await machine(t, there.port, 'fleetca=sha256:' + '0'.repeat(64), {
    random: () => 0.999_999,
  });
  await states.reach('waiting', 9);
  const delays = states.all.flatMap((state) => (state.state === 'waiting' ? [state.delayMs] : []));
  t.deepEqual(delays.slice(0, 9), [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
});

async function accept(there: Fleet): Promise<FleetSession> {
  const session = await there.session();
  const { answer } = await session.provision();
  await answer(accepted);
  return session;
}
