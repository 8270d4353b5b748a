import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';

import {
  ApiError,
  type ApiErrorCode,
  connect,
  failure,
  pki,
  type ConnectOptions,
  type KvstoreServiceHandlers,
  type KvstoreSnapshotResponse,
  type Slices,
} from '../src/index.ts';
import { startNodeServer } from './node-server.ts';

const authority = await pki.createCA('test');
const server = await pki.issueServer(authority, { names: ['127.0.0.1'] });
const admin = await pki.issueClient(authority, { roles: ['os:admin'] });

type Handler = KvstoreServiceHandlers['snapshot'];

async function startNode(t: ExecutionContext, snapshot: Handler): Promise<ConnectOptions> {
  const { endpoint } = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    kvstore: { snapshot },
  });
  return mutual(endpoint);
}

function mutual(endpoint: string): ConnectOptions & { readonly insecure?: false } {
  return { endpoint, ca: authority.crt, crt: admin.crt, key: admin.key };
}

async function read(slices: AsyncIterable<Slices<KvstoreSnapshotResponse>>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const { pieces } of slices) all.push(...pieces);
  return Buffer.concat(all);
}

/** Something over HTTP/2 that is no server of gRPC. */
async function startHttp2(t: ExecutionContext, answer: (stream: ServerHttp2Stream) => void): Promise<string> {
  const http2: Http2SecureServer = createSecureServer({
    cert: server.crt,
    key: Buffer.from(server.key.bytes),
  });
  const sessions = new Set<{ destroy(): void }>();
  http2.on('session', (session) => sessions.add(session));
  http2.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {});
    answer(stream);
  });
  http2.listen(0, '127.0.0.1');
  await once(http2, 'listening');
  t.teardown(() => {
    for (const session of sessions) session.destroy();
    http2.close();
  });
  return `127.0.0.1:${(http2.address() as AddressInfo).port}`;
}

test('bytes come whole and in order, what is beside them in its place, and the node knows for whom', async (t) => {
  const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(100_000, `${index} `));
  let routed = '';
  const node = await startNode(t, (call) => {
    routed = [...call.metadata.get('node'), ...call.metadata.get('context')].join();
    call.write({ totalBytes: 4_000_000n });
    for (const data of pieces) call.write({ data });
    call.write({ report: { sha256: 'abc' } });
    call.end();
  });
  await using client = connect({ ...node, cluster: 'blue' });
  const found: Slices<KvstoreSnapshotResponse>[] = [];
  for await (const batch of client.kvstore.snapshot({ node: '10.0.0.9' })) found.push(batch);
  t.is(routed, '10.0.0.9,blue');
  t.is(found[0]?.rest?.totalBytes, 4_000_000n);
  t.is(found[0]?.pieces.length, 0);
  t.is(found.at(-1)?.rest?.report?.sha256, 'abc');
  const all = Buffer.concat(found.flatMap((each) => each.pieces));
  t.true(all.equals(Buffer.concat(pieces)));
});

test('a refused stream has the same error as any other call', async (t) => {
  const problems = [{ code: 'x', message: 'wrong: ü' }];
  const refusal = failure(status.FAILED_PRECONDITION, 'not now: 100 % ü', {
    code: 'ERR_MEMBER_BUSY',
    problems,
  });
  const node = await startNode(t, (call) => call.emit('error', refusal));
  const late = await startNode(t, (call) => {
    call.write({ data: Buffer.from('some') });
    call.emit('error', refusal);
  });
  for (const each of [node, late]) {
    await using client = connect(each);
    const error = await t.throwsAsync<ApiError>(read(client.kvstore.snapshot()), { instanceOf: ApiError });
    t.is(error.code, 'ERR_API_CONFLICT');
    t.is(error.message, `${each.endpoint}: not now: 100 % ü`);
    t.is(error.reason, 'ERR_MEMBER_BUSY');
    t.like(error.problems, { 0: { code: 'x', message: 'wrong: ü' } });
  }
});

test('leaving the loop, a signal, a deadline and the end of the client cancel the call on the node', async (t) => {
  const begun: Promise<unknown>[] = [];
  const node = await startNode(t, (call) => {
    begun.push(once(call, 'cancelled'));
    call.write({ data: Buffer.from('some') });
  });
  await using client = connect(node);
  for await (const _batch of client.kvstore.snapshot()) break;
  await begun.at(-1);

  const abort = new AbortController();
  const reason = new Error('enough');
  const seen = async (): Promise<void> => {
    for await (const _batch of client.kvstore.snapshot({ signal: abort.signal })) abort.abort(reason);
  };
  t.is(await t.throwsAsync(seen()), reason);
  await begun.at(-1);
  t.is(await t.throwsAsync(seen()), reason); // aborted before

  const late = await t.throwsAsync<ApiError>(read(client.kvstore.snapshot({ timeoutMs: 50 })));
  t.is(late.code, 'ERR_API_TIMEOUT');

  const closed = async (): Promise<void> => {
    for await (const _batch of client.kvstore.snapshot()) client.close();
  };
  await t.throwsAsync(closed(), { instanceOf: TypeError, message: /closed/ });
  await t.throwsAsync(closed(), { instanceOf: TypeError });
  await t.throwsAsync(client.version(), { instanceOf: TypeError });
  await Promise.all(begun);
});

test('a reader that stands still holds up the node within the window', async (t) => {
  const pieceBytes = 256 << 10;
  let written = 0;
  const stopped = Promise.withResolvers<void>();
  const node = await startNode(t, (call) => {
    let idle: NodeJS.Timeout | undefined;
    const write = (): void => {
      clearTimeout(idle);
      if (call.cancelled) return;
      call.write({ data: Buffer.alloc(pieceBytes) }, () => {
        written += pieceBytes;
        write();
      });
      // Nothing more is taken for so long: it stands.
      idle = setTimeout(() => stopped.resolve(), 500);
    };
    call.on('cancelled', () => clearTimeout(idle));
    write();
  });
  await using client = connect(node);
  for await (const _batch of client.kvstore.snapshot()) {
    await stopped.promise;
    break;
  }
  // Both windows, what waits for the reader, and what sockets hold.
  t.true(written < 24 << 20, `${written} bytes`);
});

test('a stream that breaks off is no end', async (t) => {
  const endpoint = await startHttp2(t, (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.write(Buffer.from([0, 0, 0, 0, 4, 0x0a, 2, 65, 66]), () => stream.session?.destroy());
  });
  await using client = connect(mutual(endpoint));
  const error = await t.throwsAsync<ApiError>(read(client.kvstore.snapshot()));
  t.is(error.code, 'ERR_API_UNREACHABLE');
});

test('what speaks HTTP/2 and is no node is told apart', async (t) => {
  const answers: readonly [answer: (stream: ServerHttp2Stream) => void, code: ApiErrorCode][] = [
    [(stream) => stream.respond({ ':status': 404 }, { endStream: true }), 'ERR_API_UNSUPPORTED'],
    [
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end(Buffer.from([0, 0, 0, 0, 9, 0x0a]));
      },
      'ERR_API_PROTOCOL',
    ],
    [
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
        stream.end('what is this?');
      },
      'ERR_API_PROTOCOL',
    ],
    [
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
        stream.end();
      },
      'ERR_API_FAILED',
    ],
  ];
  for (const [answer, code] of answers) {
    await using client = connect(mutual(await startHttp2(t, answer)));
    const error = await t.throwsAsync<ApiError>(read(client.kvstore.snapshot()), { instanceOf: ApiError });
    t.is(error.code, code, error.message);
  }
});

test('who is there is proven as for any other call', async (t) => {
  const other = await pki.createCA('other');
  const stranger = await startNodeServer(t, {
    identity: await pki.issueServer(other, { names: ['127.0.0.1'] }),
  });
  await using client = connect(mutual(stranger.endpoint));
  const untrusted = await t.throwsAsync<ApiError>(read(client.kvstore.snapshot()));
  t.is(untrusted.code, 'ERR_API_UNTRUSTED');

  const node = await startNode(t, (call) => call.end());
  await using nobody = connect({ endpoint: node.endpoint, insecure: true });
  const refused = await t.throwsAsync<ApiError>(read(nobody.kvstore.snapshot()));
  t.is(refused.code, 'ERR_API_UNAUTHENTICATED');

  await using nowhere = connect(mutual('127.0.0.1:1'));
  const unreachable = await t.throwsAsync<ApiError>(read(nowhere.kvstore.snapshot()));
  const same = await t.throwsAsync<ApiError>(nowhere.version());
  t.is(unreachable.code, 'ERR_API_UNREACHABLE');
  t.is(unreachable.message, same.message);
});

test('a program that makes no call by grpc-js does not load it', async (t) => {
  const script = `import '@nodecore/api';
    import { createRequire } from 'node:module';
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('grpc-js')).length);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', script],
    { cwd: new URL('../../osctl/', import.meta.url) },
  );
  t.is(stdout, '0\n');
});
