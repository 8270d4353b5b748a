import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import * as http2 from 'node:http2';
import { type AddressInfo, connect as dial, createServer } from 'node:net';
import { duplexPair } from 'node:stream';

import { connect } from '@nodecore/api';
import { ApplyMode, MachineService } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { SupervisorError } from '@nodecore/supervisor';
import test, { type ExecutionContext } from 'ava';

import { disks } from '../src/discovery/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';
import { call, framed, session } from './hostile-client.ts';

const text = rootDocument(ca);
const configure = { data: Buffer.from(text), mode: ApplyMode.AUTO };

function connected(t: ExecutionContext, endpoint: string): http2.ClientHttp2Session {
  const made = session({ host: '127.0.0.1', port: portOf(endpoint) });
  t.teardown(() => made.destroy());
  return made;
}

function portOf(endpoint: string): number {
  return Number(endpoint.split(':').at(-1));
}

/** A call for the version, that nobody looks at. */
function asksVersion(by: http2.ClientHttp2Session): http2.ClientHttp2Stream {
  const stream = call(by, MachineService.version.path);
  stream.resume();
  stream.end(framed(Buffer.alloc(0)));
  return stream;
}

test('the call that ends maintenance is answered however long it takes', async (t) => {
  const switched = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { insecure, as } = await apiNode(t, {
    activated: () => {
      switched.resolve();
      return gate.promise;
    },
  });
  const answer = insecure().applyConfiguration(configure);
  await switched.promise;
  const admin = await as(['os:admin']);
  t.false((await admin.version()).maintenance); // a handshake later
  gate.resolve();
  t.true((await answer).durable);
});

test('streams of maintenance end with it and say so, read at once or held back', async (t) => {
  const { insecure, store } = await apiNode(t);
  const many = Array.from({ length: 1000 }, (_, index) => `disk${String(index).padStart(4, '0')}`);
  const held = Promise.withResolvers<void>();
  const follow = (wait: Promise<void>) => {
    const ids: (string | undefined)[] = [];
    const reading = Promise.withResolvers<void>();
    const watch = async (): Promise<void> => {
      for await (const { events } of insecure().watch({ type: disks.type })) {
        ids.push(...events.map(({ resource }) => resource?.metadata?.id));
        reading.resolve();
        await wait;
      }
    };
    return { ids, reading: reading.promise, ended: t.throwsAsync(watch(), { code: 'ERR_API_UNREACHABLE' }) };
  };
  // More than the client's window holds: the stream stands still until somebody reads on.
  for (const id of many) store.create({ ...kindOf(disks), id }, { padding: 'x'.repeat(1000) });
  const streams = [follow(Promise.resolve()), follow(held.promise)];
  await Promise.all(streams.map(({ reading }) => reading));
  await insecure().applyConfiguration(configure);
  store.create({ ...kindOf(disks), id: 'afterwards' }, {});
  held.resolve();
  for (const { ids, ended } of streams) {
    t.like(await ended, { reason: 'ERR_SERVER_CONFIGURED' });
    t.false(ids.includes('afterwards'));
  }
});

test('the connection that brings the first configuration is told to go when it has its answer, and not before', async (t) => {
  const switched = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { endpoint } = await apiNode(t, {
    activated: () => {
      switched.resolve();
      return gate.promise;
    },
  });
  const caller = connected(t, endpoint);
  const told: string[] = [];
  const gone = once(caller, 'goaway').then(() => told.push('go'));
  const { path, requestSerialize } = MachineService.applyConfiguration;
  const applied = call(caller, path);
  applied.end(framed(requestSerialize(configure)));
  const answered = once(applied, 'trailers').then(([trailers]) =>
    told.push(`status ${String((trailers as http2.IncomingHttpHeaders)['grpc-status'])}`),
  );
  await switched.promise;
  // What was sent before the answer to a ping is here when that is.
  t.true(await new Promise((resolve) => caller.ping((error) => resolve(error === null))));
  t.deepEqual(told, []);
  gate.resolve();
  applied.resume();
  await Promise.all([answered, gone]);
  t.deepEqual(told, ['status 0', 'go']); // a ping between the two would make grpc-js drop the call
});

/** What a node says goes through it, but for what is held back. */
async function slowNetwork(t: ExecutionContext, endpoint: string) {
  const port = portOf(endpoint);
  let held: (() => void)[] | undefined;
  const heard = Promise.withResolvers<void>();
  const between = createServer((client) => {
    const node = dial(port, '127.0.0.1');
    t.teardown(() => void node.destroy());
    for (const each of [client, node]) each.on('error', () => {});
    client.pipe(node);
    node.on('data', (data) => {
      if (held === undefined) client.write(data);
      else {
        held.push(() => client.write(data));
        heard.resolve();
      }
    });
    t.teardown(() => void client.destroy());
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  t.teardown(() => void between.close());
  return {
    endpoint: `127.0.0.1:${(between.address() as AddressInfo).port}`,
    /** @returns resolves when something is held back. */
    hold: () => {
      held = [];
      return heard.promise;
    },
    release: () => {
      for (const pass of held ?? []) pass();
      held = undefined;
    },
  };
}

test('a call that crosses the word to go is refused at once, so that it is made on another connection', async (t) => {
  const node = await apiNode(t, { drainMs: 10_000 });
  const network = await slowNetwork(t, node.endpoint);
  const caller = connected(t, network.endpoint);
  const first = asksVersion(caller);
  await once(first, 'close');
  const word = network.hold();
  await node.insecure().applyConfiguration(configure);
  await word;
  const crossing = asksVersion(caller);
  const refused = new Promise((resolve) => crossing.once('close', resolve));
  const told = once(caller, 'goaway');
  network.release();
  t.deepEqual((await told).slice(0, 2), [http2.constants.NGHTTP2_NO_ERROR, first.id]);
  await refused;
  t.is(crossing.rstCode, http2.constants.NGHTTP2_REFUSED_STREAM);
});

test('a server closes, whatever the library leaves open of a connection', async (t) => {
  const node = await apiNode(t, { closeMs: 10 });
  const remain = (message: unknown): void => {
    const { session: served } = (message as { readonly stream: http2.ServerHttp2Stream }).stream;
    if (served === undefined || served.socket.localPort !== portOf(node.endpoint)) return;
    Object.assign(served, { close: () => {}, destroy: () => {} });
  };
  subscribe('http2.server.stream.created', remain);
  t.teardown(() => unsubscribe('http2.server.stream.created', remain));
  const caller = connected(t, node.endpoint);
  const first = asksVersion(caller);
  await once(first, 'close');
  const ended = once(caller, 'close');
  await node.server.close();
  await ended;
  t.pass();
});

test('a certificate that is renewed while the server ends lets nobody in, and calls that run are answered', async (t) => {
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const { insecure, as, server, endpoint } = await apiNode(t, {
    services: async () => {
      reached.resolve();
      return await held.promise;
    },
  });
  await insecure().applyConfiguration(configure);
  const admin = await as(['os:admin']);
  const answer = t.throwsAsync(admin.services.list(), {
    code: 'ERR_API_ABORTED',
    message: /another process has them/u,
  });
  await reached.promise;
  const closed = server.close();
  const shown = server.publicKey;
  server.use({ ...(await pki.issueServer(ca, { names: ['127.0.0.1'] })), clientAuthorities: [ca.crt] });
  t.is(server.publicKey, shown);
  const [ours, theirs] = duplexPair();
  server.inject(theirs);
  t.true(theirs.destroyed, 'nor by the link');
  ours.destroy();
  held.reject(new SupervisorError('ERR_SERVICE_BUSY', 'another process has them'));
  await answer;
  admin.close();
  await closed;
  const late = connect({ endpoint, insecure: true });
  t.teardown(() => late.close());
  await t.throwsAsync(late.version(), { code: 'ERR_API_UNREACHABLE' });
});

test('a stop ends the watches at once', async (t) => {
  const { insecure, server } = await apiNode(t);
  const events = insecure().watch({ type: disks.type })[Symbol.asyncIterator]();
  await events.next();
  const next = events.next();
  const started = performance.now();
  await Promise.all([t.throwsAsync(next), server.close()]);
  t.true(performance.now() - started < 5_000);
});

test('a connection from before a change that let it stay does not hold up a stop', async (t) => {
  const { insecure, as, server } = await apiNode(t);
  await insecure().applyConfiguration(configure);
  const [reader, admin] = [await as(['os:reader']), await as(['os:admin'])];
  await reader.version();
  const changed = `${text}---\napiVersion: v1alpha1\nkind: FilesystemTrimConfig\ninterval: 168h\n`;
  await admin.applyConfiguration({ data: Buffer.from(changed) });
  await reader.version();
  await server.close(); // waits as long as a connection is left
  await t.throwsAsync(reader.version());
});
