import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';

import { type sendUnaryData, Server } from '@grpc/grpc-js';
import { Served } from '@nodecore/listener';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { KMSService, type Request, type ResponseInit } from '@nodecore/kms/protocol';
import { readCredentials } from '../src/server/credentials.ts';
import { Listener } from '../src/server/listener.ts';
import { authority, serverIdentity } from '../../../storage/kms/test/certificates.ts';
import { framed } from '../../../storage/kms/test/raw-server.ts';

/** A listener before a service whose calls are answered when the test says so. */
async function slowListener(
  t: ExecutionContext,
  drainMs: number,
  limits = { max: 16, maxPerAddress: 16 },
  handshakes = { max: 16, maxPerAddress: 16, maxPerTurn: 4, deadlineMs: 5_000 },
) {
  const failures: string[] = [];
  const directory = await temporaryDirectory(t);
  const ca = await authority();
  const { crt, key } = await serverIdentity(ca);
  const files = {
    certificate: join(directory, 'crt'),
    key: join(directory, 'key'),
    clientAuthorities: undefined,
  };
  await writeFile(files.certificate, crt);
  await writeFile(files.key, key.bytes);
  const calls: sendUnaryData<ResponseInit>[] = [];
  const arrivals: PromiseWithResolvers<void>[] = [];
  const server = new Server();
  const handle = (_call: { request: Request }, done: sendUnaryData<ResponseInit>): void => {
    calls.push(done);
    arrivals[calls.length - 1]?.resolve();
  };
  server.addService(KMSService, { seal: handle, unseal: handle });
  const listener = new Listener({
    server,
    served: new Served(limits),
    handshakes,
    drainMs,
    onHandshakeFailure: (_peer, reason) => failures.push(reason),
  });
  t.teardown(() => listener.close());
  const { port } = await listener.listen({ host: '127.0.0.1', port: 0 });
  return {
    listener,
    port,
    failures,
    tls: async () => (await readCredentials(files)).tls,
    /** A call that the service has, on a connection of its own. */
    call: async (): Promise<{
      session: ClientHttp2Session;
      stream: ClientHttp2Stream;
      answer: () => void;
    }> => {
      const session = connect(`https://127.0.0.1:${port}`, { ca: ca.crt });
      session.on('error', () => {});
      t.teardown(() => session.destroy());
      const stream = session.request({
        ':method': 'POST',
        ':path': KMSService.seal.path,
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      stream.on('error', () => {});
      stream.resume();
      const index = arrivals.push(Promise.withResolvers()) - 1;
      stream.end(framed(Buffer.alloc(0)));
      await arrivals[index]?.promise;
      return { session, stream, answer: () => calls[index]?.(null, {}) };
    },
  };
}

/** Attached before whatever may close it. */
function closing(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => session.once('close', resolve));
}

async function statusOf(stream: ClientHttp2Stream): Promise<string | undefined> {
  const [trailers] = (await once(stream, 'trailers')) as [Record<string, string>];
  return trailers['grpc-status'];
}

test('when clients must show themselves again, their calls end first, and then their connections', async (t) => {
  const { listener, tls, call } = await slowListener(t, 60_000);
  listener.use(await tls(), false);
  const { session, stream, answer } = await call();
  const closed = closing(session);
  listener.use(await tls(), false);
  const status = statusOf(stream);
  answer();
  t.is(await status, '0');
  await closed;
});

test('a call that does not end then is ended, and connections made meanwhile are not', async (t) => {
  const { listener, tls, call } = await slowListener(t, 300);
  listener.use(await tls(), false);
  const stuck = await call();
  const closed = closing(stuck.session);
  listener.use(await tls(), false);
  const after = await call();
  await closed;
  t.false(after.session.closed);
  const status = statusOf(after.stream);
  after.answer();
  t.is(await status, '0');
});

test('a certificate that is renewed ends no connection', async (t) => {
  const { listener, tls, call } = await slowListener(t, 10);
  listener.use(await tls(), false);
  const before = await call();
  listener.use(await tls(), true);
  const after = await call();
  for (const { stream, session, answer } of [before, after]) {
    const trailers = once(stream, 'trailers');
    answer();
    await trailers;
    t.false(session.closed);
  }
});

test('the first certificate ends nothing later', async (t) => {
  const { listener, tls, call } = await slowListener(t, 0);
  listener.use(await tls(), false);
  const { session, stream, answer } = await call(); // takes longer than the time that the end would have had
  const trailers = once(stream, 'trailers');
  answer();
  await trailers;
  t.false(session.closed);
});

test('a listener that closes lets calls finish', async (t) => {
  const { listener, tls, call } = await slowListener(t, 60_000);
  listener.use(await tls(), true);
  const { stream, answer } = await call();
  const trailers = once(stream, 'trailers');
  const closed = listener.close();
  answer();
  await trailers;
  await closed;
  t.pass();
});

test('who says nothing is hung up on', async (t) => {
  t.timeout(20_000);
  const { listener, tls, port, failures } = await slowListener(t, 10, undefined, {
    max: 16,
    maxPerAddress: 16,
    maxPerTurn: 4,
    deadlineMs: 20,
  });
  listener.use(await tls(), true);
  const silent = connectTcp({ host: '127.0.0.1', port });
  await once(silent.resume(), 'close');
  t.deepEqual(failures, ['handshake-silent']);
});

test('an address has so many connections, and its oldest goes for a new one', async (t) => {
  t.timeout(20_000);
  const { listener, tls, call } = await slowListener(t, 10, { max: 16, maxPerAddress: 2 });
  listener.use(await tls(), true);
  const first = await call();
  const second = await call();
  const gone = closing(first.session);
  const third = await call();
  await gone;
  t.false(second.session.destroyed);
  t.false(third.session.destroyed);
});
