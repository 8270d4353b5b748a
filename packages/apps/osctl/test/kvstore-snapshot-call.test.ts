import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

import {
  ApiError,
  type ApiErrorCode,
  type Client,
  connect,
  type ConnectOptions,
  failure,
  kvstoreSnapshotLayout,
  type LentCallOptions,
} from '@nodecore/api';
import type { KvstoreServiceHandlers } from '@nodecore/api/kvstore';
import * as pki from '@nodecore/pki';
import {
  receiveSnapshotCall,
  type ReceiveSnapshotCallOptions,
  type SnapshotInfo,
} from '@nodecore/kvstore/verify';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { SnapshotDownload } from '../../../../native/src/snapshot.ts';
import { startNodeServer, status } from '../../../contract/api/test/node-server.ts';
import { exitCodeOf, exitCodes } from '../src/exit.ts';

const authority = await pki.createCA('test');
const server = await pki.issueServer(authority, { names: ['127.0.0.1'] });
const admin = await pki.issueClient(authority, { roles: ['os:admin'] });
const packed = new URL('../../../workload/kvstore/test/fixtures/etcd-3.4.23.db.gz', import.meta.url);
const snapshot = gunzipSync(await readFile(packed));

type Handler = KvstoreServiceHandlers['snapshot'];

async function startNode(t: ExecutionContext, handler: Handler): Promise<ConnectOptions> {
  const { endpoint } = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    kvstore: { snapshot: handler },
  });
  return mutual(endpoint);
}

function mutual(endpoint: string): ConnectOptions & { readonly insecure?: false } {
  return { endpoint, ca: authority.crt, crt: admin.crt, key: admin.key };
}

type Receive = (
  client: Client,
  call?: LentCallOptions,
  options?: Partial<ReceiveSnapshotCallOptions>,
) => Promise<SnapshotInfo>;

/** Receives into a directory in which nothing may be left of what fails. */
async function receiver(t: ExecutionContext): Promise<{ receive: Receive; file: string }> {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'snapshot.db');
  const receive: Receive = async (client, call = {}, options = {}) => {
    try {
      return await receiveSnapshotCall(client.kvstore.snapshot(call), {
        file,
        layout: kvstoreSnapshotLayout,
        ...options,
      });
    } catch (error) {
      t.deepEqual(await readdir(directory), []);
      throw error;
    }
  };
  return { receive, file };
}

async function failureOf(t: ExecutionContext, options: ConnectOptions): Promise<ApiError> {
  const { receive } = await receiver(t);
  await using client = connect(options);
  return await t.throwsAsync<ApiError>(receive(client), { instanceOf: ApiError });
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

test('a snapshot comes whole, its size is told before, and the node knows for whom', async (t) => {
  let routed = '';
  const node = await startNode(t, (call) => {
    routed = [...call.metadata.get('node'), ...call.metadata.get('context')].join();
    call.write({ totalBytes: BigInt(snapshot.length) });
    for (let at = 0; at < snapshot.length; at += 10_000)
      call.write({ data: snapshot.subarray(at, at + 10_000) });
    call.end();
  });
  const { receive, file } = await receiver(t);
  await using client = connect({ ...node, cluster: 'blue' });
  const totals = new Set<bigint | undefined>();
  const onProgress: ReceiveSnapshotCallOptions['onProgress'] = ({ totalBytes }) => totals.add(totalBytes);
  await receive(client, { node: '10.0.0.9' }, { onProgress });
  t.is(routed, '10.0.0.9,blue');
  t.deepEqual([...totals], [BigInt(snapshot.length)]);
  t.deepEqual(await readFile(file), snapshot);
});

test('a refused call has the same error as any other call', async (t) => {
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
    const error = await failureOf(t, each);
    t.is(error.code, 'ERR_API_CONFLICT');
    t.is(error.message, `${each.endpoint}: not now: 100 % ü`);
    t.is(error.reason, 'ERR_MEMBER_BUSY');
    t.like(error.problems, { 0: { code: 'x', message: 'wrong: ü' } });
  }
});

test('a signal, a silence and the end of the client cancel the call on the node', async (t) => {
  const cancelled: Promise<unknown>[] = [];
  let onCall: (() => void) | undefined;
  const node = await startNode(t, (call) => {
    cancelled.push(once(call, 'cancelled'));
    call.write({ data: Buffer.from('some') });
    onCall?.();
  });
  const { receive } = await receiver(t);
  await using client = connect(node);
  const abort = new AbortController();
  const reason = new Error('enough');
  onCall = () => abort.abort(reason);
  t.is(await t.throwsAsync(receive(client, { signal: abort.signal })), reason);
  await cancelled.at(-1);
  t.is(await t.throwsAsync(receive(client, { signal: abort.signal })), reason); // aborted before
  t.is(cancelled.length, 1);

  onCall = undefined;
  const silent = await t.throwsAsync(receive(client, {}, { stallTimeoutMs: 500 }));
  t.like(silent, { code: 'ERR_KVSTORE_TIMEOUT' });
  await cancelled.at(-1);

  onCall = () => client.close();
  await t.throwsAsync(receive(client), { instanceOf: TypeError, message: /closed/ });
  await t.throwsAsync(receive(client), { instanceOf: TypeError });
  await Promise.all(cancelled);
});

test('a port at which nobody speaks is given up after the time that it was given', async (t) => {
  const left = Promise.withResolvers<void>();
  const mute = createServer((socket) => {
    socket.once('close', () => left.resolve()).resume();
  });
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
  t.teardown(() => mute.close());
  const endpoint = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const { receive } = await receiver(t);
  await using client = connect(mutual(endpoint));
  const error = await t.throwsAsync(receive(client, {}, { stallTimeoutMs: 300 }));
  t.like(error, {
    code: 'ERR_KVSTORE_TIMEOUT',
    message: `${endpoint}: no connection in 300 ms; is the node up?`,
  });
  t.is(exitCodeOf(error), exitCodes.unreachable);
  await left.promise;
});

test.serial(
  'a disk that stands still holds up the node within the window, and nothing is left',
  async (t) => {
    const pieceBytes = 256 << 10;
    let written = 0;
    const stands = Promise.withResolvers<void>();
    const stop = new AbortController();
    const node = await startNode(t, (call) => {
      let idle: NodeJS.Timeout | undefined;
      const write = (): void => {
        clearTimeout(idle);
        if (stop.signal.aborted) return;
        call.write({ data: Buffer.alloc(pieceBytes) }, () => {
          written += pieceBytes;
          write();
        });
        // Nothing more is taken for so long: it stands.
        idle = setTimeout(() => stands.resolve(), 500);
      };
      write();
    });
    const held = Object.getOwnPropertyDescriptor(SnapshotDownload.prototype, 'isHeld') ?? {};
    Object.defineProperty(SnapshotDownload.prototype, 'isHeld', { ...held, get: () => true });
    t.teardown(() => Object.defineProperty(SnapshotDownload.prototype, 'isHeld', held));
    const { receive } = await receiver(t);
    await using client = connect(node);
    const receiving = receive(client, { signal: stop.signal });
    await stands.promise;
    // Both windows, and what sockets hold.
    t.true(written < 24 << 20, `${written} bytes`);
    const reason = new Error('enough');
    stop.abort(reason);
    t.is(await t.throwsAsync(receiving), reason);
  },
);

test('an answer that breaks off is no end', async (t) => {
  const endpoint = await startHttp2(t, (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.write(Buffer.from([0, 0, 0, 0, 4, 0x0a, 2, 65, 66]), () => stream.session?.destroy());
  });
  t.is((await failureOf(t, mutual(endpoint))).code, 'ERR_API_UNREACHABLE');
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
    const error = await failureOf(t, mutual(await startHttp2(t, answer)));
    t.is(error.code, code, error.message);
  }
});

test('who is there is proven as for any other call', async (t) => {
  const other = await pki.createCA('other');
  const stranger = await startNodeServer(t, {
    identity: await pki.issueServer(other, { names: ['127.0.0.1'] }),
  });
  t.is((await failureOf(t, mutual(stranger.endpoint))).code, 'ERR_API_UNTRUSTED');

  const node = await startNode(t, (call) => call.end());
  const nobody = await failureOf(t, { endpoint: node.endpoint, insecure: true });
  t.is(nobody.code, 'ERR_API_UNAUTHENTICATED');
  const fingerprints = ['0'.repeat(64)];
  const another = await failureOf(t, { endpoint: node.endpoint, insecure: true, fingerprints });
  t.is(another.code, 'ERR_API_FINGERPRINT');

  const nowhere = await failureOf(t, mutual('127.0.0.1:1'));
  await using client = connect(mutual('127.0.0.1:1'));
  const same = await t.throwsAsync<ApiError>(client.version());
  t.is(nowhere.code, 'ERR_API_UNREACHABLE');
  t.is(nowhere.message, same.message);
});

test('the name of a node that no header field can have is refused before anything is sent', async (t) => {
  let calls = 0;
  const node = await startNode(t, (call) => {
    calls += 1;
    call.end();
  });
  const { receive } = await receiver(t);
  await using client = connect(node);
  await t.throwsAsync(receive(client, { node: 'a\nb' }), { message: /nghttp2_check_header_value/ });
  t.is(calls, 0);
});

test('a program that receives a snapshot, and makes no other call, does not load grpc-js', async (t) => {
  const script = `import '@nodecore/api';
    import '@nodecore/kvstore/verify';
    import { createRequire } from 'node:module';
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('grpc-js')).length);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', script],
    { cwd: new URL('../', import.meta.url) },
  );
  t.is(stdout, '0\n');
});
