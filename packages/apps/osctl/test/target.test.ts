import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Targets } from '../src/nodes/target.ts';
import { clientConfig, osctl } from './command-line.ts';
import { authority } from './fake-node.ts';

type Named = { readonly name: string; readonly endpoint: string; readonly node: string | undefined };

async function targets(
  flags: Parameters<typeof Targets.open>[0],
  env: Record<string, string>,
): Promise<Named[]> {
  await using opened = await Targets.open(flags, { env });
  return opened.all.map(({ name, node, client }) => ({ name, node, endpoint: client.endpoint }));
}

test('without nodes the only endpoint is the node', async (t) => {
  const env = await clientConfig(t, { endpoints: ['10.0.0.1'] });
  const direct = { name: '10.0.0.1:50000', endpoint: '10.0.0.1:50000', node: undefined };
  t.deepEqual(await targets({}, env), [direct]);
  const other = { name: '[fd00::2]:50000', endpoint: '[fd00::2]:50000', node: undefined };
  t.deepEqual(await targets({ endpoints: ['fd00::2'] }, env), [other]);
});

test('with several endpoints and no nodes the user has to say', async (t) => {
  const env = await clientConfig(t, { endpoints: ['10.0.0.1', '10.0.0.2'] });
  await t.throwsAsync(targets({}, env), { code: 'ERR_USAGE', message: /-n <nodes>/ });
});

function through(name: string): Named {
  return { name, endpoint: '10.255.255.1:50000', node: name };
}

test('a node that is an endpoint, or has a port, is dialled; any other is reached through an endpoint', async (t) => {
  const env = await clientConfig(t, { endpoints: ['10.255.255.1'], nodes: ['10.0.0.9'] });
  t.deepEqual(await targets({}, env), [through('10.0.0.9')]);
  t.deepEqual(await targets({ nodes: ['worker-1', 'fd00::9', '10.255.255.1', '10.0.0.1:7'] }, env), [
    through('worker-1'),
    through('fd00::9'),
    { name: '10.255.255.1', endpoint: '10.255.255.1:50000', node: undefined },
    { name: '10.0.0.1:7', endpoint: '10.0.0.1:7', node: undefined },
  ]);
});

test('of several endpoints one that takes connections passes calls on', async (t) => {
  const listening = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  t.teardown(() => listening.close());
  const alive = `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const env = await clientConfig(t, { endpoints: ['127.0.0.1:1', alive, '127.0.0.1:2'] });
  t.deepEqual(await targets({ nodes: ['worker-1'] }, env), [
    { name: 'worker-1', endpoint: alive, node: 'worker-1' },
  ]);
  const none = await clientConfig(t, { endpoints: ['127.0.0.1:1', '127.0.0.1:2'] });
  t.is((await targets({ nodes: ['worker-1'] }, none))[0]?.endpoint, '127.0.0.1:1');
});

test('with a cluster the endpoint is a proxy and passes calls on', async (t) => {
  const env = await clientConfig(t, { endpoints: ['proxy:443'] });
  t.deepEqual(await targets({ cluster: 'blue', nodes: ['10.0.0.9', 'proxy'] }, env), [
    { name: '10.0.0.9', endpoint: 'proxy:443', node: '10.0.0.9' },
    { name: 'proxy', endpoint: 'proxy:443', node: undefined },
  ]);
});

test('without a certificate every node is its own endpoint, and no client config is read', async (t) => {
  const env = { OSCONFIG: '/nonexistent/config' };
  t.deepEqual(await targets({ insecure: true, nodes: ['10.0.0.1', 'b:1'] }, env), [
    { name: '10.0.0.1', endpoint: '10.0.0.1:50000', node: undefined },
    { name: 'b:1', endpoint: 'b:1', node: undefined },
  ]);
});

test('flags before the command and after it count, those after it more', async (t) => {
  const env = await clientConfig(t, { endpoints: ['127.0.0.1:1'] });
  const before = await osctl(['-n', '127.0.0.1:2', 'version', '-i', '--short'], { env });
  t.true(before.error.includes('127.0.0.1:2'), before.error);
  const after = await osctl(['-n', '127.0.0.1:2', 'version', '-i', '--short', '-n', '127.0.0.1:3'], { env });
  t.true(after.error.includes('127.0.0.1:3'), after.error);
});

test('a context that does not exist, and an endpoint that is none, say what to do', async (t) => {
  const env = await clientConfig(t, { endpoints: ['127.0.0.1:1'] });
  const context = await osctl(['version', '--context', 'nope'], { env });
  t.regex(context.error, /"nope" not found/);
  t.not(context.code, 0);
  t.is((await osctl(['version', '-e', 'a:b:c'], { env })).code, 2);
});

test('-e that is not the way to a node is told, once, and the node is dialled', async (t) => {
  const env = await clientConfig(t, { endpoints: ['127.0.0.1:1'], nodes: ['127.0.0.1'] });
  const way = 'osctl: a node that is named with a port is dialled itself: ';
  const several = await osctl(['version', '-e', '127.0.0.1:2', '-n', '127.0.0.1,127.0.0.2:3,127.0.0.2:4'], {
    env,
  });
  t.is(several.error.split(way).length, 2, several.error);
  t.true(several.error.startsWith(`${way}127.0.0.2:3, 127.0.0.2:4\n`), several.error);
  t.regex(several.error, /127\.0\.0\.1: .*\n.*127\.0\.0\.2:3: /u);
  const same = await osctl(['version', '-e', '127.0.0.1:2'], { env });
  t.false(same.error.includes(way), same.error);
});

test('a context, or the environment, has a proxy, through which its nodes are reached', async (t) => {
  const path = join(await temporaryDirectory(t), 'config');
  const config = Osconfig.empty(path);
  const { crt, key } = await pki.issueClient(authority, { roles: ['os:reader'] });
  config.set('test', {
    endpoints: ['10.255.255.1'],
    ca: authority.crt,
    crt,
    key,
    proxyUrl: 'socks5://127.0.0.1:9',
  });
  config.set('none', { endpoints: ['10.255.255.1'], ca: authority.crt, crt, key });
  config.set('bad', {
    endpoints: ['10.255.255.1'],
    ca: authority.crt,
    crt,
    key,
    proxyUrl: 'ftp://u:secret@x',
  });
  config.use('test');
  await writeFile(path, config.encode());
  const own = await osctl(['version', '--osconfig', path]);
  t.is(own.code, 5);
  t.regex(own.error, /the proxy 127\.0\.0\.1:9: connection refused/u);
  const env = { HTTPS_PROXY: 'http://127.0.0.1:10' };
  const around = await osctl(['version', '--osconfig', path, '--context', 'none'], { env });
  t.regex(around.error, /the proxy 127\.0\.0\.1:10: connection refused/u);
  const insecure = await osctl(['version', '-i', '-n', '10.255.255.1'], { env });
  t.regex(insecure.error, /the proxy 127\.0\.0\.1:10: connection refused/u);
  const bad = await osctl(['version', '--osconfig', path, '--context', 'bad']);
  t.is(bad.code, 2);
  t.regex(bad.error, /proxy-url of context "bad": a proxy is http/u);
  t.false(bad.error.includes('secret'));
});
