import test, { type ExecutionContext } from 'ava';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { faultOf } from '../src/client/fault.ts';
import { apiError } from '../src/client/failure.ts';
import { ApiError, connect, type ConnectOptions } from '../src/index.ts';
import * as pki from '@nodecore/pki';
import { startNodeServer, status } from './node-server.ts';

const authority = await pki.createCA('test');
const dayMs = 86_400_000;
const names = ['127.0.0.1'];
const [server, admin] = await Promise.all([
  pki.issueServer(authority, { names }),
  pki.issueClient(authority, { roles: ['os:admin'] }),
]);

/** What only programmers of the client know. */
const foreign =
  /[gG][rR][pP][cC]|[oO]pen[sS][sS][lL]|\b[sS][sS][lL]|Node\.js|--use-|Error:|E[A-Z]{4,}|ERR_|routines|RST_STREAM|xceeded/u;

async function failureAt(
  t: ExecutionContext,
  endpoint: string,
  { identity = admin, timeoutMs = 30_000 }: { identity?: pki.Identity; timeoutMs?: number } = {},
): Promise<ApiError> {
  const options: ConnectOptions = { endpoint, ca: authority.crt, crt: identity.crt, key: identity.key };
  await using client = connect(options);
  const error = await t.throwsAsync<ApiError>(client.version({ timeoutMs }), { instanceOf: ApiError });
  t.true(error.message.startsWith(`${endpoint}: `), error.message);
  t.notRegex(error.message, foreign);
  return error;
}

async function listening(t: ExecutionContext, listener: Server): Promise<string> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.teardown(() => void listener.close());
  return `127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

function plain(t: ExecutionContext, answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listening(
    t,
    createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      answer(socket);
    }),
  );
}

async function withCertificate(t: ExecutionContext, identity: pki.Identity): Promise<string> {
  return (await startNodeServer(t, { identity, ca: authority.crt })).endpoint;
}

test('nobody listening', async (t) => {
  const closing = createServer();
  closing.listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const { port } = closing.address() as AddressInfo;
  closing.close();
  const error = await failureAt(t, `127.0.0.1:${port}`);
  t.like(error, { code: 'ERR_API_UNREACHABLE', fault: 'refused' });
  t.true(error.message.endsWith(`: connection refused: nothing listens on port ${port}`), error.message);
});

test('a name that nobody knows', async (t) => {
  const error = await failureAt(t, 'nowhere.invalid:50000');
  t.like(error, { code: 'ERR_API_UNREACHABLE', fault: 'no-name' });
});

test('what listens and says nothing is silent, and the time is said', async (t) => {
  const error = await failureAt(t, await plain(t, () => {}), { timeoutMs: 50 });
  t.like(error, { code: 'ERR_API_TIMEOUT', fault: 'silent' });
  t.regex(error.message, /: no connection within 0\.\d+ s: nothing there answers$/u);
});

test('a node that does not answer a call', async (t) => {
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    machine: { version: () => {} },
  });
  await using client = connect({
    endpoint: node.endpoint,
    ca: authority.crt,
    crt: admin.crt,
    key: admin.key,
  });
  await t.throwsAsync(client.mounts(), { code: 'ERR_API_UNSUPPORTED' }); // the connection stands
  const error = await t.throwsAsync<ApiError>(client.version({ timeoutMs: 50 }));
  t.is(error?.code, 'ERR_API_TIMEOUT');
  t.regex(error?.message ?? '', /: no answer within 0\.\d+ s$/u);
});

test('plain text, a reset and a hang-up in place of TLS', async (t) => {
  const http = await plain(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  t.like(await failureAt(t, http), { code: 'ERR_API_PROTOCOL', fault: 'no-tls' });
  const ssh = await plain(t, (socket) => socket.write('SSH-2.0-server\r\n'));
  t.like(await failureAt(t, ssh), { code: 'ERR_API_PROTOCOL', fault: 'no-tls' });
  const http2 = await plain(t, (socket) => socket.write(Buffer.from('000000040000000000', 'hex')));
  t.like(await failureAt(t, http2), { code: 'ERR_API_PROTOCOL', fault: 'no-tls' });
  const reset = await plain(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));
  t.like(await failureAt(t, reset), { code: 'ERR_API_UNREACHABLE', fault: 'lost' });
  const hangsUp = await plain(t, (socket) => socket.once('data', () => socket.end()));
  t.like(await failureAt(t, hangsUp), { code: 'ERR_API_UNREACHABLE', fault: 'lost' });
});

test('TLS without HTTP/2, and TLS of another age', async (t) => {
  const tls = { cert: server.crt, key: server.key.bytes };
  const web = createTlsServer({ ...tls, ALPNProtocols: ['http/1.1'] });
  web.on('tlsClientError', () => {});
  t.is((await failureAt(t, await listening(t, web))).code, 'ERR_API_PROTOCOL');
  const old = createTlsServer({
    ...tls,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL@SECLEVEL=0',
  });
  old.on('tlsClientError', () => {});
  t.like(await failureAt(t, await listening(t, old)), { code: 'ERR_API_PROTOCOL', fault: 'other-tls' });
});

test("what is wrong with the node's certificate is told apart", async (t) => {
  const other = await pki.createCA('other');
  const rows: readonly (readonly [pki.Identity, string])[] = [
    [
      await pki.issueServer(authority, { names, nowMs: Date.now() - 2 * dayMs, lifetimeMs: dayMs }),
      'expired',
    ],
    [
      await pki.issueServer(authority, { names, nowMs: Date.now() + dayMs, lifetimeMs: dayMs }),
      'not-yet-valid',
    ],
    [await pki.issueServer(other, { names }), 'unknown-authority'],
    [await pki.createMaintenanceIdentity({ names }), 'unknown-authority'],
    [await pki.issueServer(authority, { names: ['10.9.8.7', 'node-b'] }), 'other-name'],
    [await pki.issueClient(authority, { roles: [] }), 'unknown-authority'],
  ];
  for (const [identity, fault] of rows) {
    const error = await failureAt(t, await withCertificate(t, identity));
    t.like(error, { code: 'ERR_API_UNTRUSTED', fault }, error.message);
    if (fault === 'other-name')
      t.regex(error.message, /for other names: .*10\.9\.8\.7.*node-b|node-b.*10\.9\.8\.7/u);
  }
});

test("what is wrong with the client's certificate is told apart", async (t) => {
  const endpoint = await withCertificate(t, server);
  const old = { roles: ['os:admin'], nowMs: Date.now() - 2 * dayMs, lifetimeMs: dayMs };
  const expired = await failureAt(t, endpoint, { identity: await pki.issueClient(authority, old) });
  t.like(expired, { code: 'ERR_API_UNAUTHENTICATED', fault: 'client-expired' });
  t.regex(expired.message, /the client certificate expired on \d{4}-\d\d-\d\d$/u);
  const other = await pki.createCA('other');
  const stranger = await pki.issueClient(other, { roles: ['os:admin'] });
  t.like(await failureAt(t, endpoint, { identity: stranger }), {
    code: 'ERR_API_UNAUTHENTICATED',
    fault: 'client-refused',
  });
});

test('codes that a test can not cause have words, too, and one that nobody knows keeps its name', (t) => {
  for (const code of [
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EPERM',
    'EPIPE',
    'ETIMEDOUT',
    'EAI_AGAIN',
    'CERT_UNTRUSTED',
  ])
    t.notRegex(faultOf(code, 1).words, foreign, code);
  t.is(faultOf('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 1).fault, 'client-refused');
  t.is(faultOf('ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 1).fault, 'client-expired');
  t.is(faultOf('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 1).code, 'ERR_API_UNAUTHENTICATED');
  t.is(faultOf('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 1).fault, 'other-tls');
  t.true(faultOf('EFOO', 1).words.includes('EFOO'));
  t.true(faultOf('ERR_SSL_FOO', 1).words.includes('ERR_SSL_FOO'));
});

test('texts of the library never reach the user, texts of the node always do', (t) => {
  const channel = {
    endpoint: 'a:1',
    connector: { failure: undefined, wasSecured: true, port: 1, proxy: undefined },
  };
  const told = (code: number, details: string): string =>
    apiError({ code, details, info: undefined }, channel, {}).message;
  for (const details of [
    'Connection dropped',
    'Stream refused by server',
    'read ECONNRESET',
    'No connection established. Last error: null. Resolution note: ',
    'Received RST_STREAM with code 2 (Internal server error)',
    'Received HTTP status code 503',
    'Received message larger than max (9 vs 4)',
    'Response message parsing error: index out of range',
    'Failed to start HTTP/2 stream with error [ERR_HTTP2_GOAWAY_SESSION: New streams]',
    'Deadline exceeded after 30.001s,LB pick: 0.001s,remote_addr=127.0.0.1:1',
  ]) {
    const message = told(
      details.startsWith('Deadline') ? status.DEADLINE_EXCEEDED : status.UNAVAILABLE,
      details,
    );
    t.notRegex(message, foreign);
    t.regex(message, /^a:1: .+/u);
  }
  t.is(
    told(status.INTERNAL, 'Received RST_STREAM with code 2'),
    'a:1: its answer was broken off (HTTP/2 code 2)',
  );
  t.is(
    told(
      status.UNAVAILABLE,
      'No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:1. Resolution note: ',
    ),
    'a:1: connection refused: nothing listens on port 1',
    'also where a node has listened before',
  );
  t.is(told(status.UNAVAILABLE, 'the node is going down'), 'a:1: the node is going down');
  t.is(told(status.PERMISSION_DENIED, 'needs os:operator'), 'a:1: needs os:operator');
  t.is(told(status.DEADLINE_EXCEEDED, 'the disk did not answer'), 'a:1: the disk did not answer');
});
