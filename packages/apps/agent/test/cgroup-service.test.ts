import { type Client, connect } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { CgroupError } from '@nodecore/cgroup';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { startNodeServer } from '../../../contract/api/test/node-server.ts';
import { cgroupService } from '../src/cgroups/cgroup-service.ts';
import { ServerError } from '../src/server/errors.ts';
import { callerWith } from './callers.ts';
import { asleep, type CgroupsNode, cgroupsNode } from './cgroups-node.ts';

const ca = await pki.createCA('test');
const identity = await pki.issueServer(ca, { names: ['127.0.0.1'] });
const reader = await pki.issueClient(ca, { roles: ['os:reader'] });

async function serve(t: ExecutionContext, { cgroups }: CgroupsNode, stopping = new AbortController().signal) {
  const service = cgroupService(cgroups, {
    log: pino({ level: 'silent' }),
    callerOf: () => callerWith('os:reader'),
    stopping,
  });
  const { endpoint } = await startNodeServer(t, { identity, ca: ca.crt, cgroups: service });
  const client: Client = connect({ endpoint, ca: ca.crt, crt: reader.crt, key: reader.key });
  t.teardown(() => client.close());
  return client;
}

test('a sample crosses the wire as it was read', async (t) => {
  const client = await serve(t, await cgroupsNode(t, { 'a/memory.max': 'max\n', 'a/pids.current': '' }));
  const messages = [];
  for await (const message of client.cgroups({ files: ['memory.max', 'pids.current'] }))
    messages.push(message);
  t.like(messages[0]?.start, { files: ['memory.max', 'pids.current'], elsewhere: ['cpuset'] });
  t.deepEqual(
    messages[1]?.cgroups?.cgroups.map(({ path, files }) => [path, files.map(({ text }) => text)]),
    [
      ['/', []],
      ['/a', ['max\n', '']],
    ],
  );
  t.is(messages[2]?.sample?.cgroups, 2);
  t.is(messages.length, 3);
});

const first = (stream: AsyncIterable<unknown>): Promise<unknown> => stream[Symbol.asyncIterator]().next();

test('a node without cgroup v2 says what it has instead', async (t) => {
  const message = 'only cgroup v1: cpu at /sys/fs/cgroup/cpu';
  const found = new CgroupError('ERR_CGROUP_VERSION', '/sys/fs/cgroup', message);
  const hierarchy = { hierarchy: () => Promise.reject(found) };
  const client = await serve(t, await cgroupsNode(t, {}, hierarchy));
  for (const stream of [client.cgroups({}), client.watchCgroups({ what: {} }), client.pressure({ top: 1 })])
    await t.throwsAsync(first(stream), {
      code: 'ERR_API_CONFLICT',
      message: /only cgroup v1: cpu at \/sys\/fs\/cgroup\/cpu/,
    });
  await t.throwsAsync(first(client.cgroups({ files: ['../x'] })), { code: 'ERR_API_INVALID' });
});

test('a caller that leaves ends its watch on the node, whatever it waits for', async (t) => {
  const node = await cgroupsNode(t, { 'a/': '' });
  const client = await serve(t, node);
  for await (const { sample } of client.watchCgroups({ what: {} })) {
    if (sample === undefined) continue;
    await asleep(node.clock);
    break;
  }
  while (node.clock.sleepers > 0) await new Promise(setImmediate);
  // All sixteen places are free again.
  const stop = new AbortController();
  const watches = Array.from({ length: 16 }, async () => {
    for await (const { sample } of client.watchCgroups({ what: {} }, { signal: stop.signal }))
      if (sample !== undefined) t.is(sample.cgroups, 2);
  });
  while (node.clock.sleepers < 16) await new Promise(setImmediate);
  stop.abort();
  for (const { status } of await Promise.allSettled(watches)) t.is(status, 'rejected');
});

test('an agent that stops ends watches with a reason', async (t) => {
  const stopping = new AbortController();
  const node = await cgroupsNode(t, { 'a/': '' });
  const client = await serve(t, node, stopping.signal);
  const watch = (async () => {
    for await (const _message of client.watchCgroups({ what: {} }));
  })();
  await asleep(node.clock);
  stopping.abort(new ServerError('ERR_SERVER_STOPPING', 'the agent is stopping'));
  await t.throwsAsync(watch, { code: 'ERR_API_UNREACHABLE' });
});
