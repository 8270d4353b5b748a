import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Configuration, parse } from '@nodecore/config';
import { temporaryDirectory } from '@nodecore/testkit';
import type { VolumeStatus } from '@nodecore/volumes';
import test, { type ExecutionContext } from 'ava';

import { checkDirectories } from '../src/configuration/live-directories.ts';
import { authority, rootDocument } from './documents.ts';

const root = rootDocument(await authority());

const partitionFor = (name: string): string =>
  [
    '---',
    'apiVersion: v1alpha1',
    'kind: VolumeConfig',
    `name: ${name}`,
    'provisioning:',
    '  diskSelector: {match: "true"}',
    '  minSize: 2GiB',
    '',
  ].join('\n');

const ephemeral: VolumeStatus = {
  id: 'EPHEMERAL',
  type: 'partition',
  phase: 'ready',
  configuredEncryptionKeys: [],
  encryptionFailedSyncs: [],
};

function parsed(t: ExecutionContext, ...names: string[]): Configuration {
  const configuration = parse(root + names.map(partitionFor).join(''));
  t.teardown(() => configuration[Symbol.dispose]());
  return configuration;
}

test('a partition is not mounted over a directory with data: the apply is refused, and says what to do', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const etcd = join(mountRoot, 'var/lib/etcd');
  // Logs of the node's services are the node's to take away.
  await mkdir(join(mountRoot, 'var/log/os/etcd'), { recursive: true });
  await mkdir(etcd, { recursive: true });
  await writeFile(join(etcd, 'member'), 'data');
  const wanted = parsed(t, 'ETCD', 'LOG', 'KUBELET');
  const live = { statuses: [ephemeral], mountRoot };
  const before = parsed(t);
  const error = await t.throwsAsync(checkDirectories(wanted, before, live), {
    code: 'ERR_APPLY_REFUSED',
    message: /VolumeConfig.ETCD: .*var\/lib\/etcd is a directory of EPHEMERAL with data.*move its content/u,
  });
  // LOG has nothing of anybody else, and KUBELET was never there.
  t.like(error, { problems: [{ code: 'volume.directory_in_use', path: 'provisioning' }] });
  t.is((error as unknown as { problems: unknown[] }).problems.length, 1);
});

test('what is a partition already, and a node without EPHEMERAL, are asked nothing', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  await mkdir(join(mountRoot, 'var/lib/etcd/member'), { recursive: true });
  const wanted = parsed(t, 'ETCD');
  await t.notThrowsAsync(checkDirectories(wanted, parsed(t, 'ETCD'), { statuses: [ephemeral], mountRoot }));
  await t.notThrowsAsync(checkDirectories(wanted, undefined, { statuses: [], mountRoot }));
});

test('as long as EPHEMERAL is not mounted, nobody knows what a partition would hide: the apply is refused', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const live = { statuses: [{ ...ephemeral, phase: 'located' as const }], mountRoot };
  const wanted = parsed(t, 'ETCD');
  await t.throwsAsync(checkDirectories(wanted, parsed(t), live), {
    code: 'ERR_APPLY_REFUSED',
    message: /apply this again when it is ready/u,
  });
  // What is a partition already needs no answer, and the first configuration is what EPHEMERAL waits for.
  await t.notThrowsAsync(checkDirectories(wanted, parsed(t, 'ETCD'), live));
  await t.notThrowsAsync(checkDirectories(wanted, undefined, live));
});
