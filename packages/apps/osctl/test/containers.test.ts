import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { failure } from '@nodecore/api';
import type { ContainerServiceHandlers } from '@nodecore/api/container';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { type FakeNodeOptions, startFakeNode, status } from './fake-node.ts';

async function containerNode(
  t: ExecutionContext,
  containers: Partial<ContainerServiceHandlers>,
  services: FakeNodeOptions['services'] = {},
) {
  const node = await startFakeNode(t, { containers, services });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return { endpoint: node.endpoint, run: (line: string) => osctl(line.split(' '), { env }) };
}

const none = failure(status.FAILED_PRECONDITION, 'no container runtime on this node', {
  code: 'ERR_CONTAINER_RUNTIME',
});

/** A node as all are until they have a runtime. */
const refusing: Partial<ContainerServiceHandlers> = {
  containers: (_call, answer) => answer(none),
  containerStats: (_call, answer) => answer(none),
  imageList: (call) => void call.emit('error', none),
  imagePull: (call) => void call.emit('error', none),
  imageImport: (_call, answer) => answer(none),
  imageRemove: (_call, answer) => answer(none),
};

test('a node without a runtime is said to have none by every command and flag', async (t) => {
  const { run, endpoint } = await containerNode(t, refusing, {
    logs: (call) => void call.emit('error', none),
  });
  const archive = join(await temporaryDirectory(t), 'image.tar');
  await writeFile(archive, Buffer.alloc(700_000));
  for (const line of [
    'containers',
    'c --namespace taloscontainers',
    'containers -k',
    'stats --namespace cri -o json',
    'image list --namespace inmem',
    'images ls',
    'image pull alpine --namespace system',
    'image remove alpine --namespace taloscontainers',
    'debug alpine --args sh,-l --namespace system',
    `debug ${archive}`,
    'logs a --kind container',
    'logs a --kind vm --namespace cri -f',
  ]) {
    const { code, error, out } = await run(line);
    t.is(code, 9, line);
    t.true(error.includes(`osctl: ${endpoint}: no container runtime on this node`), error);
    t.is(out, line.includes('json') ? '[]\n' : '', line);
  }
});

test('the namespace that is asked for is the one of the flags; two that differ are refused', async (t) => {
  const asked: string[] = [];
  const { run } = await containerNode(t, {
    containers: (call, answer) => {
      asked.push(call.request.namespace);
      answer(null, {});
    },
  });
  for (const line of ['containers', 'containers -k', 'containers --namespace taloscontainers'])
    t.is((await run(line)).code, 0);
  t.deepEqual(asked, ['system', 'cri', 'taloscontainers']);
  t.regex((await run('containers -k')).error, /--orch is deprecated/u);
  t.is((await run('containers -k --namespace system')).code, 2);
  t.is((await run('containers --namespace x')).code, 2);
  t.is(asked.length, 4);
});

test('the log that is asked for has its kind, whatever the namespace; that of a machine is of one node', async (t) => {
  const asked: string[] = [];
  const { run, endpoint } = await containerNode(
    t,
    {},
    {
      logs: (call) => {
        asked.push(`${call.request.kind} ${call.request.namespace}`);
        call.end();
      },
    },
  );
  for (const flags of ['', ' --kind container', ' --kind vm --namespace cri', ' --namespace taloscontainers'])
    t.is((await run(`logs a${flags}`)).code, 0);
  t.deepEqual(asked, ['service system', 'container system', 'vm cri', 'service taloscontainers']);
  const { code, error } = await run(`logs a --kind vm -n ${endpoint},127.0.0.1:1`);
  t.is(code, 2);
  t.regex(error, /--kind vm is for one node/u);
  t.is(asked.length, 4);
});

test('containers of a pod stand below it, and names on a node move no cursor', async (t) => {
  const { run } = await containerNode(t, {
    containers: (_call, answer) =>
      answer(null, {
        containers: [
          { namespace: 'cri', id: 'a/pod', podId: 'a/pod', pid: 7, status: 'SANDBOX_READY' },
          { namespace: 'cri', id: 'a/pod:web:0123', podId: 'a/pod', image: 'x\u001b[2J', status: 'RUNNING' },
        ],
      }),
  });
  const { out } = await run('containers --namespace cri');
  t.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/u).slice(1)),
    [
      ['NAMESPACE', 'ID', 'IMAGE', 'PID', 'STATUS'],
      ['cri', 'a/pod', '7', 'SANDBOX_READY'],
      ['cri', '└─ a/pod:web:0123', 'x?[2J', 'RUNNING'],
    ],
  );
});

test('what a runtime says is printed: sizes, digests, what was pulled, and that this osctl runs no container', async (t) => {
  const { run, endpoint } = await containerNode(t, {
    containerStats: (_call, answer) =>
      answer(null, {
        stats: [{ namespace: 'system', id: 'a', memoryBytes: 1_500_000n, cpuNanos: 2_500_000_000n }],
      }),
    imageList: (call) => {
      call.write({ images: [{ name: 'a:1', digest: 'sha256:aa', createdMillis: 0n }] });
      call.write({ images: [{ name: 'b:1', digest: 'sha256:bb', createdMillis: 0n, sizeBytes: 7n }] });
      call.end();
    },
    imagePull: (call) => {
      call.write({ layers: [{ id: 'l', status: 'downloading' }] });
      call.write({ name: 'a@sha256:aa' });
      call.end();
    },
  });
  t.regex((await run('stats')).out, /system +a +1\.50 +2\.50\n/u);
  t.regex((await run('image list')).out, /a:1 +sha256:aa +- +1970.*\n.*b:1 +sha256:bb +7 +1970/u);
  t.is((await run('image pull a')).out, `${endpoint}: a@sha256:aa\n`);
  const debug = await run('debug a');
  t.is(debug.code, 1);
  t.regex(debug.error, /the image is there; running it needs an osctl of the node's version/u);
});
