import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { command, leakedDescriptors, openDescriptors, output, root, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { connectIn, datagramIn, listenIn, type NamespaceFiles } from '../src/netns.ts';

const rooted = testWith(root);
const local = '127.0.0.1';
const program = new URL('netns-program.ts', import.meta.url).pathname;

/** A process in namespaces of its own, in which loopback is up; its id. */
async function holder(t: ExecutionContext, options: readonly string[], uid = 0): Promise<number> {
  const script = 'ip link set lo up; echo; exec cat';
  const words = [...options, '--net', '--', 'sh', '-c', script];
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
  const child = spawn('unshare', words, { uid, gid: uid, env, cwd: '/' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

async function filesOf(t: ExecutionContext): Promise<NamespaceFiles> {
  return { networkNamespace: `/proc/${await holder(t, [])}/ns/net` };
}

async function serverAt(t: ExecutionContext, fd: number): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).end()).listen({ fd });
  await once(server, 'listening');
  t.teardown(() => server.close());
  return server;
}

function namespacesOfThreads(): readonly string[] {
  const threads = readdirSync('/proc/self/task');
  return [...new Set(threads.map((each) => readlinkSync(`/proc/self/task/${each}/ns/net`)))];
}

rooted('a socket is of the namespace that it was made in, and no thread of this process is', async (t) => {
  const files = await filesOf(t);
  const before = namespacesOfThreads();
  const port = 4321;
  const server = await serverAt(t, await listenIn(files, { address: local, port }));
  const came = once(server, 'connection');
  const socket = new Socket({ fd: await connectIn(files, { address: local, port }), readable: true });
  await Promise.all([came, once(socket.resume(), 'close')]);
  t.regex(await output(['nsenter', `--net=${files.networkNamespace}`, 'ss', '-Htln']), /127\.0\.0\.1:4321/);
  const outside = connect({ host: local, port });
  await t.throwsAsync(once(outside, 'connect'), { code: 'ECONNREFUSED' });
  t.deepEqual(namespacesOfThreads(), before);
  t.is(before.length, 1);
});

rooted('datagrams come from the namespace that their socket was made in', async (t) => {
  const files = await filesOf(t);
  const [one, other] = await Promise.all(
    [0, 1].map(async () => createSocket('udp4').bind({ fd: await datagramIn(files, 'udp4') })),
  );
  t.teardown(() => [one, other].forEach((each) => each?.close()));
  const got = once(one!, 'message');
  other!.send('hello', one!.address().port, local);
  t.is(String((await got)[0]), 'hello');
  const bound = await command(['nsenter', `--net=${files.networkNamespace}`, 'ss', '-Huan']);
  t.is(bound.stdout.trim().split('\n').length, 2);
});

rooted('who is no root enters where it is root, by the user namespace alone', async (t) => {
  const uid = 65_534;
  const pid = await holder(t, ['--user', '--map-root-user'], uid);
  const argv = [process.execPath, '--conditions=source', program, String(pid)];
  const who: readonly [string, ...string[]] = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--bounding-set=-all',
  ];
  t.is((await output([...who, '--no-new-privs', '--', ...argv])).trim(), 'EPERM inside');
});

rooted('a failure says what failed and on what, and leaves no descriptor', async (t) => {
  const files = await filesOf(t);
  const at = { address: local, port: 4321 };
  const server = await serverAt(t, await listenIn(files, at));
  const before = openDescriptors();
  const failures: readonly [string, () => Promise<number>][] = [
    ['bind on 127.0.0.1 port 4321: EADDRINUSE', () => listenIn(files, at)],
    ['connect on 127.0.0.1 port 1: ECONNREFUSED', () => connectIn(files, { address: local, port: 1 })],
    ['connect on 192.0.2.1 port 1: ENETUNREACH', () => connectIn(files, { address: '192.0.2.1', port: 1 })],
    ['inet_pton on localhost port 1: EINVAL', () => connectIn(files, { address: 'localhost', port: 1 })],
    [
      'setns on /proc/self/ns/uts: EINVAL',
      () => datagramIn({ networkNamespace: '/proc/self/ns/uts' }, 'udp4'),
    ],
    ['open on /proc/self/none: ENOENT', () => datagramIn({ networkNamespace: '/proc/self/none' }, 'udp6')],
    [
      'setns on /proc/self/ns/net: EINVAL', // a process can't enter its own user namespace
      () =>
        datagramIn({ networkNamespace: '/proc/self/ns/net', userNamespace: '/proc/self/ns/user' }, 'udp4'),
    ],
  ];
  for (const [message, make] of failures)
    await t.throwsAsync(make, { code: 'ERR_NATIVE_SYSTEM_CALL', message }, message);
  await Promise.all(Array.from({ length: 50 }, () => t.throwsAsync(listenIn(files, at))));
  await settled(t, before);
  t.true(server.listening);
});

rooted('who no longer wants a connection has none, and no descriptor is left', async (t) => {
  const files = await filesOf(t);
  // Nobody is behind the cable: what is asked for there is answered by nobody.
  const enter: readonly [string, ...string[]] = ['nsenter', `--net=${files.networkNamespace}`, 'ip'];
  for (const words of [
    ['link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far'],
    ['address', 'add', '192.0.2.1/24', 'dev', 'near'],
    ['link', 'set', 'far', 'up'],
    ['link', 'set', 'near', 'up'],
  ])
    await output([...enter, ...words]);
  const before = openDescriptors();
  const enough = new AbortController();
  const pending = connectIn(files, { address: '192.0.2.2', port: 1 }, enough.signal);
  await setImmediate();
  enough.abort(new Error('enough'));
  await t.throwsAsync(pending, { message: 'enough' });
  await t.throwsAsync(connectIn(files, { address: '192.0.2.2', port: 1 }, AbortSignal.abort()), {
    name: 'AbortError',
  });
  await settled(t, before);
});

/** libuv closes a handle a turn of its loop later. */
async function settled(t: ExecutionContext, before: ReadonlyMap<number, string>): Promise<void> {
  const until = performance.now() + 10_000;
  while (leakedDescriptors(before).length > 0 && performance.now() < until) await setImmediate();
  t.deepEqual(leakedDescriptors(before), []);
}

// The pool's threads and the loop's own descriptors are not counted.
test.before(async () => {
  await connectIn({ networkNamespace: '/proc/self/ns/net' }, { address: local, port: 1 }).catch(() => {});
});
