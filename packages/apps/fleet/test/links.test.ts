import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { joinTokens, links, parseJoinUrl } from '@nodecore/fleet-api';
import {
  createLinkIdentity,
  dial,
  type LinkState,
  type MachineFacts,
  machineId,
  publicKeyOf,
} from '@nodecore/fleet-link';
import { createCA, type Identity } from '@nodecore/pki';
import { memoryState, type State } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import type { LinkAuthorities } from '../src/links/authorities.ts';
import { forgetDestroyed } from '../src/links/forget-destroyed.ts';
import { Links } from '../src/links/links.ts';
import { MachineLogs } from '../src/logs/machine-logs.ts';
import { MachineRecords } from '../src/machines/machine-records.ts';
import { kindOf } from '../src/tokens/join-token.ts';
import { createServer, type TLSSocket } from 'node:tls';
import { certificatePin } from '@nodecore/fleet-api';
import { issueServer, readCertificate } from '@nodecore/pki';
import type { AddressInfo } from 'node:net';

const facts: MachineFacts = {
  uuid: '4c4c4544-0042-3510-8054-b5c04f4a5131',
  osVersion: 'v1.14.0',
  stage: 'running',
};

type Scene = {
  readonly state: State;
  readonly links: Links;
  readonly logs: MachineLogs;
  readonly clock: FakeClock;
  readonly token: (spec: { revoked?: boolean; expirationTime?: string }) => Promise<string>;
  readonly url: (token: string) => string;
};

/** The links of a fleet, on a port of their own. */
async function scene(t: ExecutionContext): Promise<Scene> {
  const state = memoryState();
  const clock = new FakeClock();
  const authorities: LinkAuthorities = { link: await createCA('links'), access: await createCA('access') };
  const logs = new MachineLogs(clock);
  const fleet = { state, clock, log: pino({ level: 'silent' }) };
  const records = new MachineRecords(fleet);
  const links = new Links({ fleet, authorities, records, logs });
  const ca: Identity = await createCA('fleet');
  const server = await issueServer(ca, { names: ['127.0.0.1'] });
  const tls = createServer({
    key: server.key.bytes,
    cert: `${server.crt}${ca.crt}`,
    ALPNProtocols: ['fleet-link/1'],
  });
  tls.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => {});
    links.accept(socket);
  });
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
  t.teardown(async () => {
    links.close();
    tls.close();
    await state[Symbol.asyncDispose]();
  });
  const { port } = tls.address() as AddressInfo;
  let count = 0;
  return {
    state,
    links,
    logs,
    clock,
    token: async ({ revoked = false, ...rest }) => {
      const id = `token${(count += 1)}000000000000`;
      await state.create({ ...kindOf(joinTokens), id }, { name: id, revoked, ...rest });
      return id;
    },
    url: (token) =>
      `https://127.0.0.1:${port}/?jointoken=${token}&fleetca=sha256:${certificatePin(readCertificate(ca.crt))}`,
  };
}

type Machine = { readonly id: string; readonly reach: (state: LinkState['state']) => Promise<LinkState> };

async function machine(
  t: ExecutionContext,
  url: string,
  {
    identity,
    told = [],
    lines = [],
    say = facts,
  }: {
    identity?: Awaited<ReturnType<typeof createLinkIdentity>>;
    told?: readonly object[];
    lines?: readonly string[];
    say?: MachineFacts;
  } = {},
): Promise<Machine> {
  const own = identity ?? (await createLinkIdentity());
  const states: LinkState[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  const running = dial({
    url: parseJoinUrl(url),
    identity: () => own,
    signal: stop.signal,
    handlers: {
      facts: () => say,
      answered: () => Promise.resolve(),
      targets: new Map(),
      events: async function* () {
        yield* told;
      },
      logs: async function* () {
        yield* lines;
      },
      changed: (state) => {
        states.push(state);
        for (const wake of waiting) wake();
      },
    },
  });
  t.teardown(async () => {
    stop.abort();
    await running;
  });
  return {
    id: machineId(publicKeyOf(own)),
    reach: async (name) => {
      for (;;) {
        const found = states.find(({ state }) => state === name);
        if (found !== undefined) return found;
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        await promise;
        waiting.delete(resolve);
      }
    },
  };
}

async function spec(state: State, type: string, id: string): Promise<unknown> {
  return (await state.get({ namespace: 'default', type: `${type}.fleet.nodecore.dev`, id }))?.spec;
}

/** Turns the loop until it holds: what is waited for is on its way already. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate();
}

for (const [name, make, reason] of [
  ['that nobody knows', async () => 'unknown00000000000', 'the join token is not known here'],
  [
    'that was revoked',
    async ({ token }: Scene) => await token({ revoked: true }),
    'the join token is revoked',
  ],
  [
    'that has expired',
    async ({ token }: Scene) => await token({ expirationTime: '1999-01-01T00:00:00Z' }),
    'the join token has expired',
  ],
] as const)
  test(`a machine does not join by a token ${name}, and is shown with the reason`, async (t) => {
    const there = await scene(t);
    const { id, reach } = await machine(t, there.url(await make(there)));
    t.like(await reach('denied'), { reason });
    t.is(await spec(there.state, 'Machines', id), undefined);
    t.is(await spec(there.state, 'Links', id), undefined);
    t.is(there.links.get(id), undefined);
    t.like(await spec(there.state, 'PendingMachines', id), { reason });
  });

test('a machine that has joined comes again when its token is revoked', async (t) => {
  const there = await scene(t);
  const token = await there.token({});
  const identity = await createLinkIdentity();
  const first = await machine(t, there.url(token), { identity });
  await first.reach('accepted');
  await there.state.update(
    { ...kindOf(joinTokens), id: token },
    { name: token, revoked: true },
    { version: 1 },
  );
  const before = there.links.get(first.id);
  const second = await machine(t, there.url(token), { identity });
  await second.reach('accepted');
  t.not(there.links.get(first.id), before, 'the newer link of a key takes the place of the older one');
  t.like(await spec(there.state, 'Machines', first.id), { connected: true });
});

test('machines that say the same hardware UUID are two machines', async (t) => {
  const there = await scene(t);
  const token = await there.token({});
  const [one, other] = [await machine(t, there.url(token)), await machine(t, there.url(token))];
  await one.reach('accepted');
  await other.reach('accepted');
  t.not(one.id, other.id);
  t.is(there.links.all().length, 2);
  t.like(await spec(there.state, 'Machines', one.id), { connected: true });
});

test('what a machine tells is told of itself, whatever id it names', async (t) => {
  const there = await scene(t);
  const token = await there.token({});
  const victim = await machine(t, there.url(token));
  await victim.reach('accepted');
  const liar = await machine(t, there.url(token), {
    told: [{ ...facts, id: victim.id, machine: victim.id, stage: 'upgrading' }],
  });
  await until(
    async () =>
      ((await spec(there.state, 'MachineStatuses', liar.id)) as MachineFacts | undefined)?.stage ===
      'upgrading',
  );
  t.like(await spec(there.state, 'MachineStatuses', victim.id), { stage: 'running' });
});

test('a machine that is gone is shown as not connected, with what it said last', async (t) => {
  const there = await scene(t);
  const { id, reach } = await machine(t, there.url(await there.token({})));
  await reach('accepted');
  there.links.forget(id);
  await reach('waiting');
  await until(async () => !((await spec(there.state, 'Machines', id)) as { connected: boolean }).connected);
  t.like(await spec(there.state, 'MachineStatuses', id), { connected: false, osVersion: 'v1.14.0' });
});

test('a machine that breaks the protocol loses its link and nothing else', async (t) => {
  const there = await scene(t);
  const token = await there.token({});
  const good = await machine(t, there.url(token));
  await good.reach('accepted');
  const bad = await machine(t, there.url(token), { told: [{ uuid: 7 }] });
  await bad.reach('waiting');
  t.not(there.links.get(good.id), undefined);
});

test('of a log the newest lines are kept, and lines that come too fast are dropped and counted', async (t) => {
  const clock = new FakeClock();
  const logs = new MachineLogs(clock);
  for (let index = 0; index < 5_002; index += 1) logs.write('m', Buffer.from(`line ${index}`));
  clock.advance(1_000);
  logs.write('m', Buffer.from('later'));
  const signal = new AbortController().signal;
  const text = Buffer.concat(
    await Array.fromAsync(logs.read('m', { follow: false, tail: 3, signal })),
  ).toString();
  t.is(text, 'line 4999\n(2 lines are lost: too many at once)\nlater\n');
  const all = Buffer.concat(await Array.fromAsync(logs.read('m', { follow: false, tail: Infinity, signal })));
  t.is(all.toString().split('\n').length, 5_001);
});

test('a log is followed from its last lines on', async (t) => {
  const logs = new MachineLogs(new FakeClock());
  logs.write('m', Buffer.from('one'));
  logs.write('m', Buffer.from('two'));
  const stop = new AbortController();
  const reading = logs.read('m', { follow: true, tail: 1, signal: stop.signal });
  t.is(String((await reading.next()).value), 'two\n');
  const next = reading.next();
  logs.write('m', Buffer.from('three'));
  t.is(String((await next).value), 'three\n');
  const last = reading.next();
  stop.abort();
  t.true((await last).done);
});

test('a machine whose records can not be removed keeps no other one connected', async (t) => {
  const state = memoryState();
  const closing = new AbortController();
  const seen: string[] = [];
  const last = Promise.withResolvers<void>();
  const following = forgetDestroyed(
    { state, log: pino({ level: 'silent' }), closing: closing.signal },
    {
      links: { forget: (machine) => void seen.push(machine) },
      logs: { forget: () => {} },
      records: {
        forgotten: async (machine) => {
          if (machine === 'one') throw new Error('the disk is full');
          last.resolve();
        },
      },
    },
  );
  for (const id of ['one', 'two']) {
    const key = { ...kindOf(links), id };
    await state.create(key, {});
    await state.destroy(key);
  }
  await last.promise;
  t.deepEqual(seen, ['one', 'two']);
  closing.abort();
  await following;
});
