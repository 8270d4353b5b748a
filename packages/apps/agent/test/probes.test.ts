import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { parse } from '@nodecore/config';
import { Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { attempt } from '../src/probes/attempt.ts';
import { probeSpecs, probeStatuses } from '../src/probes/definitions.ts';
import { probeController, wantedProbes } from '../src/probes/probes.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers, until } from './controllers.ts';

async function listening(t: ExecutionContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

const never = new AbortController().signal;

test('a connection is a success, and nobody there a failure with its code', async (t) => {
  const server = createServer((socket) => socket.destroy());
  const port = await listening(t, server);
  t.is(await attempt({ kind: 'tcp', host: '127.0.0.1', port }, never), undefined);
  server.close();
  await once(server, 'close');
  t.is(await attempt({ kind: 'tcp', host: '127.0.0.1', port }, never), 'ECONNREFUSED');
});

test('a web server answers with 200 to 399, and a redirect is not followed', async (t) => {
  const asked: string[] = [];
  const server = createHttp((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(Number(request.url?.slice(1)), { location: '/200' }).end();
  });
  const port = await listening(t, server);
  const answer = (status: number): Promise<string | undefined> =>
    attempt({ kind: 'http', url: `http://127.0.0.1:${port}/${status}` }, never);
  t.is(await answer(204), undefined);
  t.is(await answer(302), undefined);
  t.is(await answer(404), 'HTTP 404');
  t.is(await answer(500), 'HTTP 500');
  t.deepEqual(asked, ['/204', '/302', '/404', '/500']);
});

test('a server that says nothing is let go when its time is over', async (t) => {
  const server = createHttp(() => {});
  const port = await listening(t, server);
  const limit = new AbortController();
  server.on('request', () => limit.abort(new Error('no answer')));
  t.is(await attempt({ kind: 'http', url: `http://127.0.0.1:${port}/` }, limit.signal), 'no answer');
});

test('failures count when more came in a row than are forgiven; a probe that goes has no status', async (t) => {
  const store = new Store();
  let error: string | undefined;
  const { clock } = runControllers(
    t,
    store,
    probeController({ clock: new FakeClock(), attempt: () => Promise.resolve(error), random: () => 0.5 }),
  );
  using configuration = parse(
    'apiVersion: v1alpha1\nkind: TCPProbeConfig\nname: gate\nendpoint: 10.0.0.1:443\ninterval: 5s\nfailureThreshold: 1\n',
  );
  store.replace(kindOf(probeSpecs), wantedProbes(configuration), 'test');
  const is = async (success: boolean, failures: number, lastError: string): Promise<void> => {
    await until(store, kindOf(probeStatuses), ([status]) => {
      const spec = status?.spec as Record<string, unknown> | undefined;
      return (
        spec?.['success'] === success && spec['failures'] === failures && spec['lastError'] === lastError
      );
    });
  };
  const next = async (): Promise<void> => {
    while (!clock.skip()) await setImmediate(); // it is about to wait for its turn
  };
  await is(true, 0, '');
  error = 'ECONNREFUSED';
  await next();
  await is(true, 1, 'ECONNREFUSED');
  await next();
  await is(false, 2, 'ECONNREFUSED');
  error = undefined;
  await next();
  await is(true, 0, '');
  store.replace(kindOf(probeSpecs), new Map(), 'test');
  t.deepEqual(await until(store, kindOf(probeStatuses), ({ length }) => length === 0), []);
});
