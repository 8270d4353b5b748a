import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

import { Port } from '../src/port.ts';

test('those who connect at once are taken many in a turn of the loop', async (t) => {
  const crowd = 128;
  let turns = 0;
  const { promise: allCame, resolve } = Promise.withResolvers<void>();
  const turnsOf: number[] = [];
  const port = new Port((socket: Socket) => {
    socket.destroy();
    if (turnsOf.push(turns) === crowd) resolve();
  });
  const address = await port.listen({ host: '127.0.0.1', port: 0 });
  let turn = setImmediate(function next() {
    turns += 1;
    turn = setImmediate(next);
  });
  const clients = Array.from({ length: crowd }, () => connect(address).on('error', () => {}));
  t.teardown(async () => {
    clearImmediate(turn);
    for (const client of clients) client.destroy();
    await port.close();
  });
  await allCame;
  const [first = 0, last = Infinity] = [turnsOf[0], turnsOf.at(-1)];
  t.true(last - first < crowd / 8, `${last - first} turns`);
});

test('a port that is taken is refused, and one that was closed is free again', async (t) => {
  const first = new Port((socket) => socket.destroy());
  const address = await first.listen({ host: '127.0.0.1', port: 0 });
  const second = new Port((socket) => socket.destroy());
  await t.throwsAsync(second.listen(address), { code: 'EADDRINUSE' });
  await first.close();
  t.deepEqual(await second.listen(address), address);
  const client = connect(address);
  await once(client.resume(), 'close');
  await second.close();
});

test('as many as were asked for wait in the kernel, whatever descriptor came last', async (t) => {
  const port = new Port((socket: Socket) => void socket.destroy());
  t.teardown(() => port.close());
  const { port: number } = await port.listen({ host: '127.0.0.1', port: 0 });
  const kernelMax = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
  const { stdout } = await promisify(execFile)('ss', ['-Hltn', `sport = :${number}`]);
  const [, , queue] = stdout.trim().split(/\s+/);
  t.is(Number(queue), Math.min(4096, kernelMax));
});

test('every address is one of each family, and a peer has its own', async (t) => {
  const peers: (string | undefined)[] = [];
  const { promise: allCame, resolve } = Promise.withResolvers<void>();
  const port = new Port((socket: Socket) => {
    if (peers.push(socket.remoteAddress) === 2) resolve();
    socket.destroy();
  });
  t.teardown(() => port.close());
  const address = await port.listen({ host: '::', port: 0 });
  t.is(address.host, '::');
  for (const host of ['127.0.0.1', '::1']) connect({ host, port: address.port }).on('error', () => {});
  await allCame;
  t.deepEqual(new Set(peers), new Set(['127.0.0.1', '::1']));
});

test('every address is refused where one family has the port taken, and nothing listens then', async (t) => {
  const four = new Port((socket) => socket.destroy());
  const { port } = await four.listen({ host: '127.0.0.1', port: 0 });
  const every = new Port((socket) => socket.destroy());
  await t.throwsAsync(every.listen({ host: '::', port }), { code: 'EADDRINUSE' });
  await four.close();
  for (const host of ['127.0.0.1', '::1'])
    await t.throwsAsync(once(connect({ host, port }), 'connect'), { code: 'ECONNREFUSED' });
});

/** What a kernel that was started with `ipv6.disable=1` answers. */
const withoutIpv6 = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>
int socket(int family, int type, int protocol) {
  if (family == AF_INET6) { errno = EAFNOSUPPORT; return -1; }
  return ((int (*)(int, int, int))dlsym(RTLD_NEXT, "socket"))(family, type, protocol);
}
`;

test('every address is those of IPv4 where the kernel has no others', async (t) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'listener-'));
  const [source, library] = [join(directory.path, 'socket.c'), join(directory.path, 'socket.so')];
  await writeFile(source, withoutIpv6);
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  const program = `
    import { Port } from ${JSON.stringify(import.meta.resolve('../src/port.ts'))};
    const port = new Port((socket) => socket.destroy());
    console.log(JSON.stringify(await port.listen({ host: '::', port: 0 })));
    await port.close();`;
  const argv = ['--conditions=source', '--input-type=module', '--eval', program];
  const env = { ...process.env, LD_PRELOAD: library };
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env });
  t.is((JSON.parse(stdout) as { readonly host: string }).host, '0.0.0.0');
});
