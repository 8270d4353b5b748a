import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makePlan, readRequest } from '@nodecore/clusters';
import { parse } from '@nodecore/config';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { configurationOf } from '../src/cluster/documents.ts';
import { fleetUrlOf, linkDocument } from '../src/cluster/fleet.ts';
import { createNodeSecrets } from '../src/gen/secrets.ts';
import { osctl } from './command-line.ts';

const none = { link: [], all: [], controlplane: [], worker: [] };

const flags = {
  name: 'example',
  cidr: '10.5.0.0/24',
  controlplanes: '2',
  workers: '1',
  cpusControlplanes: '1',
  cpusWorkers: '1',
  memoryControlplanes: '768MiB',
  memoryWorkers: '768MiB',
  disks: ['virtio:4GiB'],
  presets: ['disk-image', 'secureboot'],
  schematicId: 'a'.repeat(64),
  osVersion: 'v1.14.0-alpha.0',
  imageFactoryUrl: 'http://127.0.0.1:8081',
};

test('nodes are told of the fleet manager in their configuration, at the gateway when it is on this computer', async (t) => {
  const token = 'v1:a-join-token';
  const url = `https://127.0.0.1:8080/?jointoken=${token}&fleetca=sha256:${'a'.repeat(64)}`;
  const plan = makePlan(readRequest({ ...flags, fleetApiEndpoint: url }), '0'.repeat(32));
  t.false(JSON.stringify(plan).includes(token), 'the plan holds no secret');
  t.deepEqual(
    plan.lan?.outlets.map(({ port }) => port),
    [8081, 8080],
  );
  const patches = { ...none, link: [{ text: linkDocument(url, plan) }] };
  const secrets = await createNodeSecrets();
  for (const node of plan.nodes) {
    using configuration = parse(configurationOf(plan, node, secrets, patches), { file: 'x' });
    t.is(
      Buffer.from(configuration.get('LinkAgentConfig')?.apiUrl.bytes ?? []).toString(),
      `https://10.5.0.1:8080/?jointoken=${token}&fleetca=sha256:${'a'.repeat(64)}`,
    );
  }
  const elsewhere = 'https://fleet.example/?jointoken=x';
  t.true(linkDocument(elsewhere, plan).includes(elsewhere));
  const file = join(await temporaryDirectory(t), 'url');
  await writeFile(file, `${url}\n`);
  t.is(await fleetUrlOf(`@${file}`), url);
});

test('the first node begins the kvstore, the second joins it, a worker has none, and doors are in the certificate', async (t) => {
  const request = readRequest(flags);
  const plan = makePlan(request, '0'.repeat(32));
  const secrets = await createNodeSecrets();
  const patches = { ...none, worker: [{ text: 'version: v1alpha1\nmachine: {certSANs: [patched]}' }] };
  const [first, second, worker] = plan.nodes.map((node) => configurationOf(plan, node, secrets, patches));
  for (const [text, endpoints] of [
    [first, []],
    [second, ['https://10.5.0.2:2379']],
    [worker, undefined],
  ] as const) {
    using configuration = parse(text ?? '', { file: 'x' });
    t.deepEqual(configuration.machine?.cluster?.kvstore?.endpoints, endpoints);
    for (const name of ['STATE', 'EPHEMERAL']) t.regex(text ?? '', new RegExp(`name: ${name}\\nencryption:`));
  }
  t.true(first?.includes('127.5.0.2'));
  t.true(worker?.includes('patched'));
  t.false(first?.includes('patched'));
});

test('all that is wrong with a cluster is said before anything is made', async (t) => {
  const state = await temporaryDirectory(t);
  const args = ['cluster', 'create', 'vm', '--state', state, '--name', '../x', '--workers', 'many'];
  const { code, error } = await osctl(args);
  t.is(code, 2);
  t.regex(error, /--name .*--workers many/);
  t.deepEqual(await readdir(state), []);
});

test('all that is wrong with a cluster for developers is said before anything is made', async (t) => {
  const state = await temporaryDirectory(t);
  const wrong = [
    '--disk-driver',
    'floppy',
    '--disk-block-size',
    '1',
    '--extra-disks-serials',
    'A',
    '--mtu',
    '10',
  ];
  const { code, error } = await osctl(['cluster', 'create', 'dev', '--state', state, ...wrong]);
  t.is(code, 2);
  t.regex(error, /"floppy" is none of.*--disk-block-size 1: .*1 for 0 extra disks.*--mtu 10: /);
  const absent = ['--vmlinuz-path', join(state, 'vmlinuz-${ARCH}')];
  const missing = await osctl(['cluster', 'create', 'dev', '--state', state, ...absent]);
  t.not(missing.code, 0);
  t.regex(missing.error, /vmlinuz-amd64 is missing/);
  t.deepEqual(await readdir(state), []);
});

test('a cluster that is not there is named, with those that are', async (t) => {
  const state = await temporaryDirectory(t);
  for (const what of ['show', 'start', 'stop', 'reboot', 'logs', 'destroy']) {
    const { code, error } = await osctl(['cluster', what, '--state', state, '--name', 'nothing']);
    t.is(code, 3);
    t.regex(error, /no cluster nothing in .*: there is none/);
  }
  t.is((await osctl(['cluster', 'list', '--state', state])).code, 0);
});
