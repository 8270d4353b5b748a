import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo } from 'node:net';

import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import type { ApiError } from '../src/errors.ts';
import { connect } from '../src/client/connect.ts';
import type { Endpoint } from '../src/client/endpoint.ts';
import { OwnedChannel } from '../src/client/owned-channel.ts';
import { chooseProxy, parseProxy, shownProxy } from '../src/client/proxy-server.ts';
import { startNodeServer } from './node-server.ts';
import { httpProxy, socksProxy, strangeProxy } from './proxy-server.ts';

const ca = await pki.createCA('test');
const identity = await pki.issueServer(ca, { names: ['127.0.0.1', 'localhost', 'node.test', '::1'] });
const client = await pki.issueClient(ca, { roles: ['os:reader'] });
const credentials = { ca: ca.crt, crt: client.crt, key: client.key };

async function node(t: ExecutionContext): Promise<number> {
  const { port } = await startNodeServer(t, {
    identity,
    ca: ca.crt,
    machine: { version: (_call, reply) => reply(null, { version: 'behind' }) },
  });
  return port;
}

/** The version of what is at an endpoint, through a proxy. */
async function versionThrough(endpoint: string, proxy: string): Promise<string> {
  await using there = connect({ endpoint, proxy, ...credentials });
  return (await there.version({ timeoutMs: 20_000 })).version;
}

test('a proxy is a URL of HTTP or SOCKS; what is none is not repeated', (t) => {
  t.deepEqual(parseProxy('http://proxy.test'), { scheme: 'http', host: 'proxy.test', port: 80 });
  t.deepEqual(parseProxy('https://[fd00::1]:8443/'), { scheme: 'https', host: 'fd00::1', port: 8443 });
  t.deepEqual(parseProxy('socks5h://a%40b:p%3Aw@10.0.0.1'), {
    scheme: 'socks5',
    host: '10.0.0.1',
    port: 1080,
    user: { name: 'a@b', password: 'p:w' },
  });
  for (const text of [
    '',
    'proxy:3128',
    'ftp://secret@proxy',
    'http://',
    'http://u:secret@proxy/path',
    'http://proxy?secret',
    'socks4://secret@proxy',
    'http://a:secret%@proxy',
    'http://proxy:99999',
  ]) {
    const error = t.throws(() => parseProxy(text), { instanceOf: TypeError }, text);
    t.false(error.message.includes('secret'));
  }
  t.is(shownProxy('http://u:secret@proxy:1/'), 'http://u:***@proxy:1');
  t.is(shownProxy('direct'), 'direct');
});

function to(host: string): Endpoint {
  return { host, port: 50_000 };
}

test('the context says what to go through, else the environment, but for what NO_PROXY names', (t) => {
  const env = { HTTPS_PROXY: 'proxy:3128', ALL_PROXY: 'socks5://other' };
  t.is(chooseProxy('socks5://own', to('10.0.0.5'), env), 'socks5://own');
  t.is(chooseProxy('direct', to('10.0.0.5'), env), undefined);
  t.is(chooseProxy('', to('10.0.0.5'), env), 'http://proxy:3128');
  t.is(chooseProxy(undefined, to('10.0.0.5'), { all_proxy: 'socks5://other' }), 'socks5://other');
  t.is(chooseProxy(undefined, to('10.0.0.5'), {}), undefined);
  for (const host of ['localhost', '127.0.0.9', '::1'])
    t.is(chooseProxy(undefined, to(host), env), undefined);
  const excepted: readonly (readonly [string, string])[] = [
    ['*', '10.0.0.5'],
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.0/8', '10.0.0.5'],
    ['fd00::/8', 'fd00::5'],
    ['a, example.test', 'node.example.test'],
    ['.example.test', 'Node.Example.Test'],
    ['*.example.test', 'node.example.test'],
    ['10.0.0.5:50000', '10.0.0.5'],
    ['[fd00::5]:50000', 'fd00::5'],
  ];
  for (const [NO_PROXY, host] of excepted)
    t.is(chooseProxy(undefined, to(host), { ...env, NO_PROXY }), undefined, NO_PROXY);
  for (const [NO_PROXY, host] of [
    ['', '10.0.0.5'],
    ['11.0.0.0/8,10.0.0.6,0.0.5', '10.0.0.5'],
    ['ample.test', 'node.example.test'],
    ['10.0.0.5:443', '10.0.0.5'],
    ['10.0.0.0/99', '10.0.0.5'],
  ] as const)
    t.is(chooseProxy(undefined, to(host), { ...env, NO_PROXY }), 'http://proxy:3128', NO_PROXY);
});

test('a call goes through HTTP and SOCKS, which get the name of the node and not our certificate', async (t) => {
  const to = await node(t);
  const http = await httpProxy(t, { to });
  t.is(await versionThrough('node.test:7', `http://u:p%20w@127.0.0.1:${http.port}`), 'behind');
  t.deepEqual(http.asked, ['node.test:7']);
  t.deepEqual(http.users, [`Basic ${Buffer.from('u:p w').toString('base64')}`]);
  const socks = await socksProxy(t, { to });
  for (const endpoint of ['node.test:7', '127.0.0.1:7', '[::1]:7'])
    t.is(await versionThrough(endpoint, `socks5://127.0.0.1:${socks.port}`), 'behind');
  t.deepEqual(socks.asked, ['node.test:7', '127.0.0.1:7', `${'0'.repeat(31)}1:7`]);
  const asking = await socksProxy(t, { to, user: 'u:p' });
  t.is(await versionThrough('node.test:7', `socks5://u:p@127.0.0.1:${asking.port}`), 'behind');
  t.deepEqual(asking.users, ['u:p']);
});

test('what a proxy refuses, and what is none, is told as the proxy’s doing, without its password', async (t) => {
  const to = await node(t);
  const refusing = await httpProxy(t, { to, status: 407 });
  const unknown = await socksProxy(t, { to, user: 'u:other' });
  const away = await socksProxy(t, { to, reply: 5 });
  const secured = await httpProxy(t, { to, identity });
  const gone = await strangeProxy(t, '');
  const strange = await strangeProxy(t, 'SSH-2.0-x\r\n\r\n');
  for (const [proxy, words] of [
    [`http://u:secret@127.0.0.1:${refusing.port}`, 'it refuses (HTTP status 407)'],
    [`socks5://u:secret@127.0.0.1:${unknown.port}`, 'it does not accept the user and password'],
    [`socks5://127.0.0.1:${unknown.port}`, 'it wants a user and password'],
    [`socks5://127.0.0.1:${away.port}`, 'it refuses: the node refuses the connection'],
    [`https://127.0.0.1:${secured.port}`, 'its certificate, or its TLS, is not accepted'],
    [`http://127.0.0.1:${gone}`, 'it hung up before the connection was made'],
    [`http://127.0.0.1:${strange}`, 'what it answers is no HTTP'],
    [`socks5://127.0.0.1:${strange}`, 'what it answers is no SOCKS 5'],
    ['http://u:secret@127.0.0.1:1', 'connection refused: nothing listens on port 1'],
  ] as const) {
    const error = await t.throwsAsync<ApiError>(versionThrough('node.test:7', proxy), {
      code: 'ERR_API_UNREACHABLE',
    });
    t.is(error?.message, `node.test:7: the proxy ${new URL(proxy).host}: ${words}`);
    t.is(error?.fault, 'proxy');
  }
});

test('streams of gigabytes go through a proxy, too, in the order and at the pace of their reader', async (t) => {
  const size = 3 << 20;
  const sent = Buffer.from(Uint8Array.from({ length: size }, (_each, index) => index % 251));
  const server = createTlsServer(
    { cert: identity.crt, key: identity.key.bytes, ALPNProtocols: ['h2'] },
    (socket) => {
      socket.on('error', () => {});
      socket.end(sent);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = await httpProxy(t, { to: (server.address() as AddressInfo).port });
  using owned = new OwnedChannel({
    endpoint: 'node.test:7',
    proxy: `http://127.0.0.1:${port}`,
    ...credentials,
  });
  const buffer = Buffer.alloc(1_000);
  const got: Buffer[] = [];
  const callback = (count: number): boolean => {
    got.push(Buffer.from(buffer.subarray(0, count)));
    if (got.length % 100 !== 0) return true;
    setImmediate(() => socket.resume());
    return false;
  };
  const socket = await owned.channel.connector.dial({ buffer, callback }, AbortSignal.timeout(20_000));
  await once(socket, 'end');
  t.true(Buffer.concat(got).equals(sent));
});
