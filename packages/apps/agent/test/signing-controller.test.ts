import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { Runtime } from '@nodecore/runtime';
import { memoryState, Store } from '@nodecore/state';
import { Secret } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { Signal } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { kindOf } from '../src/resources/definitions.ts';
import { signerStatuses } from '../src/signing/definitions.ts';
import { Signer, type SigningAuthority } from '../src/signing/signer.ts';
import { signingController } from '../src/signing/signing-controller.ts';
import { SigningServer } from '../src/signing/signing-server.ts';
import { authority } from './documents.ts';
import { token } from './signing-node.ts';

const ca = await authority();

/** The controller over a store, until the test ends. */
function running(t: ExecutionContext, port: number) {
  const clock = new FakeClock(Date.now());
  const log = pino({ level: 'silent' });
  const store = new Store({ clock });
  const changed = new Signal();
  let now: SigningAuthority | string | undefined = { ca, token: Secret.take(Buffer.from(token)) };
  const signer = new Signer({
    authority: () => undefined,
    controlPlanes: async () => [],
    signers: () => [],
    clock,
  });
  const stopping = new AbortController();
  const runtime = new Runtime({ state: memoryState(store), clock });
  runtime.register(
    signingController({
      authority: () => now,
      address: () => ({ host: '127.0.0.1', port }),
      open: () => new SigningServer({ log, clock, audit: undefined, signer }),
      changed,
    }),
  );
  const run = runtime.run(stopping.signal);
  t.teardown(async () => {
    stopping.abort();
    await run;
  });
  return {
    clock,
    set: (next: typeof now): void => {
      now = next;
      changed.notify();
    },
    /** The status, as soon as it is like this. */
    status: async (is: (spec: unknown) => boolean): Promise<unknown> => {
      for (;;) {
        const [found] = store.list(kindOf(signerStatuses)).resources;
        if (is(found?.spec)) return found?.spec;
        await new Promise(setImmediate);
      }
    },
  };
}

const listens = (spec: unknown): boolean => (spec as { listening?: boolean } | undefined)?.listening === true;
const waits = (spec: unknown): boolean => (spec as { listening?: boolean } | undefined)?.listening === false;

test('the port of somebody else is told of, and taken when it is free', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { status, clock } = running(t, port);
  t.deepEqual(await status(waits), { listening: false, port, reason: `port ${port}: EADDRINUSE` });
  other.close();
  await once(other, 'close');
  clock.advance(10_000);
  t.deepEqual(await status(listens), { listening: true, port, reason: '' });
});

test('a node signs only while its configuration says by what, and the port is closed otherwise', async (t) => {
  const { status, set } = running(t, 0);
  const { port } = (await status(listens)) as { readonly port: number };
  set('machine.token is missing');
  t.deepEqual(await status(waits), { listening: false, reason: 'machine.token is missing' });
  const again = createServer().listen(port, '127.0.0.1');
  await once(again, 'listening');
  again.close();
  set(undefined);
  t.is(await status((spec) => spec === undefined), undefined);
});
