import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { UpgradePhase } from '@nodecore/api/lifecycle';
import { DefragmentState, KvstoreAlarmType } from '@nodecore/api/kvstore';
import { WipeState } from '@nodecore/api/storage';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { disk, type FakeNodeOptions, startFakeNode } from './fake-node.ts';
import { plannedCluster } from './planned-cluster.ts';

const packed = new URL('../../../workload/kvstore/test/fixtures/etcd-3.4.23.db.gz', import.meta.url);
const snapshot = gunzipSync(await readFile(packed));
const wiped = { device: 'EPHEMERAL', content: 'xfs', sizeBytes: 1n };
const alarm = { memberId: 0x8e9en, type: KvstoreAlarmType.CORRUPT };

const answering: FakeNodeOptions = {
  specs: { 'Disks.block.nodecore.dev': { sda: disk } },
  containers: {
    containers: (_call, answer) => answer(null, { containers: [{ id: 'kube-system/dns', pid: 7 }] }),
    containerStats: (_call, answer) =>
      answer(null, { stats: [{ id: 'kube-system/dns', memoryBytes: 1n << 60n }] }),
    imageList: (call) => {
      call.write({ images: [{ name: 'a:b', sizeBytes: 7n, labels: { a: 'b' } }, { name: 'c:d' }] });
      call.end();
    },
    imagePull: (call) => {
      call.write({ layers: [] });
      call.write({ name: 'docker.example/alpine:latest' });
      call.end();
    },
    imageRemove: (_call, answer) => answer(null, {}),
  },
  services: { serviceRestart: (_call, answer) => answer(null, { response: 'restarted' }) },
  storage: {
    wipeVolumes: (call) => {
      call.write(call.request.dryRun ? wiped : { ...wiped, state: WipeState.DONE });
      call.end();
    },
  },
  lifecycle: {
    install: (call) => {
      call.write({ phase: UpgradePhase.SWITCH, message: 'is installed', entry: 'a.efi', version: 'v1' });
      call.write({ exitCode: 0 });
      call.end();
    },
  },
  kvstore: {
    members: (_call, answer) =>
      answer(null, { members: [{ id: 1n, hostname: 'a', peerUrls: ['https://a:2380'] }] }),
    status: (_call, answer) =>
      answer(null, { memberId: 1n, version: '3.6.1', dbSize: 1n << 33n, errors: ['x'] }),
    alarms: (_call, answer) => answer(null, { alarms: [alarm] }),
    disarmAlarms: ({ request }, answer) => answer(null, { disarmed: request.alarms }),
    downgrade: (_call, answer) => answer(null, { clusterVersion: '3.5.0' }),
    defragment: (call) => {
      call.write({
        memberId: 1n,
        state: DefragmentState.DONE,
        dbSizeBefore: 2n,
        dbSizeAfter: 1n,
        elapsedMillis: 5n,
      });
      call.end();
    },
    snapshot: (call) => {
      call.write({ totalBytes: BigInt(snapshot.length) });
      call.write({ data: snapshot });
      call.end();
    },
  },
};

test('what commands tell programs of a node is as it is published, and there is something', async (t) => {
  const node = await startFakeNode(t, answering);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const directory = await temporaryDirectory(t);
  for (const line of [
    'containers',
    'stats',
    'image list',
    'image pull alpine',
    'image remove alpine',
    'restart etcd',
    'wipe volume EPHEMERAL --yes',
    'install --image a/b:c --disk /dev/vda --reboot=false',
    'wait disks sda --for create',
    'wait disks --for create',
    'kvstore members',
    'kvstore status',
    'kvstore alarm list',
    'kvstore alarm disarm --yes',
    'kvstore defrag',
    'kvstore downgrade enable 3.5',
    `kvstore snapshot ${join(directory, 'db')}`,
  ]) {
    // The harness compares it with the schema.
    const { code, out, error } = await osctl([...line.split(' '), '-o', 'json'], { env });
    t.is(code, 0, `${line}: ${error}`);
    const found = [JSON.parse(out) as object].flat();
    t.true(found.length > 0, line);
    if (!line.startsWith('kvstore alarm'))
      t.true(
        found.every((each) => 'node' in each),
        line,
      );
  }
});

test('what gen tells programs of its files is as it is published', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(directory, { recursive: true });
  const at = (name: string): string => join(directory, name);
  for (const [line, count] of [
    [`key --name ${at('a')} -o json`, 1],
    [`secureboot uki -o ${at('keys')} --json`, 3],
  ] as const) {
    const { code, out, error } = await osctl(['gen', ...line.split(' ')]);
    t.is(code, 0, `${line}: ${error}`);
    t.is((JSON.parse(out) as unknown[]).length, count, line);
  }
});

test('what is told of clusters of this computer is as it is published', async (t) => {
  const { state } = await plannedCluster(t, 'line\n');
  for (const line of ['list', 'show --name example', 'logs --name example', 'destroy --name example']) {
    const { code, out, error } = await osctl(['cluster', ...line.split(' '), '--state', state, '-o', 'json']);
    t.is(code, 0, `${line}: ${error}`);
    t.not([JSON.parse(out) as object].flat().length, 0, line);
  }
});
