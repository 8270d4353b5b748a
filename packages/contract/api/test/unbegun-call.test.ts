import { once } from 'node:events';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { MachineService } from '../gen/machine.js';
import { frame } from '../src/forward/frames.ts';
import { type Client, connect } from '../src/index.ts';

const authority = await pki.createCA('test');
const [identity, { crt, key }] = await Promise.all([
  pki.issueServer(authority, { names: ['127.0.0.1'] }),
  pki.issueClient(authority, { roles: ['os:admin'] }),
]);

type Does = (stream: ServerHttp2Stream) => void;

/** Asks a node for its version, or something else, that does this with its streams, one after the other, the last one again. */
async function asked(
  t: ExecutionContext,
  does: readonly Does[],
  ask = (client: Client): Promise<unknown> => client.version(),
) {
  const server = createSecureServer({ cert: identity.crt, key: identity.key.bytes });
  let calls = 0;
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    does[Math.min(calls, does.length - 1)]?.(stream);
    calls += 1;
  });
  server.on('session', (session) => t.teardown(() => session.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const endpoint = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using client = connect({ endpoint, ca: authority.crt, crt, key });
  const answer = await ask(client).catch((error: unknown) => error);
  return { answer, calls };
}

function answers(stream: ServerHttp2Stream): void {
  const message = MachineService.version.responseSerialize({ hostname: 'node-a' });
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frame(message));
}

const breaks = (stream: ServerHttp2Stream): void => stream.session?.destroy();
const refuses = (stream: ServerHttp2Stream): void => stream.close(constants.NGHTTP2_REFUSED_STREAM);

test('a call that the node has not begun, as its connection was to end, is made once more', async (t) => {
  const { answer, calls } = await asked(t, [refuses, answers]);
  t.like(answer, { hostname: 'node-a' });
  t.is(calls, 2);
});

test('a call that is refused twice fails as on a lost connection', async (t) => {
  const { answer, calls } = await asked(t, [refuses]);
  t.like(answer, { code: 'ERR_API_UNREACHABLE', fault: 'lost' });
  t.is(calls, 2);
});

test('a call that the node may have begun is not made again', async (t) => {
  const { answer, calls } = await asked(t, [breaks, answers]);
  t.like(answer, { code: 'ERR_API_UNREACHABLE', fault: 'lost' });
  t.is(calls, 1);
});

async function* pieces() {
  yield { volume: 'u-data', data: new Uint8Array((1 << 20) + 1) };
}

test('an upload of over 1 MiB is not kept to be sent again', async (t) => {
  const { answer, calls } = await asked(t, [refuses, answers], (client) => client.restoreHeader(pieces()));
  t.like(answer, { code: 'ERR_API_UNREACHABLE', fault: 'lost' });
  t.is(calls, 1);
});
