import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { machineOf } from '../src/machine-spec.ts';
import { lanOf } from '../src/plan.ts';
import { makeSystemDisk } from '../src/system-disk.ts';
import { ClusterError, type ClusterRequest, makePlan, readRequest } from '../src/index.ts';
import { usualFlags } from './requests.ts';

const id = '000102030405060708090a0b0c0d0e0f';

test('a request has all values of its flags', (t) => {
  const request = readRequest(usualFlags);
  t.deepEqual(request.machines, {
    controlplane: { cpus: 2, memoryMib: 2048 },
    worker: { cpus: 1, memoryMib: 768 },
  });
  t.deepEqual(
    request.disks.map(({ sizeBytes }) => sizeBytes),
    [10 * 2 ** 30, 6 * 2 ** 30],
  );
  t.deepEqual(request.image, {
    url: `http://127.0.0.1:8081/image/${'a'.repeat(64)}/v1.14.0-alpha.0/metal-amd64.raw`,
  });
  const secure = readRequest({ ...usualFlags, presets: ['disk-image', 'secureboot'] });
  t.true('url' in secure.image && secure.image.url.endsWith('/metal-amd64-secureboot.raw'));
});

test('all that is wrong with a request is said at once, and no secret with it', (t) => {
  const secret = 'a-join-token';
  const error = t.throws(
    () =>
      readRequest({
        ...usualFlags,
        name: '../x',
        cidr: '10.5.0.0',
        controlplanes: '0',
        workers: '-1',
        cpusWorkers: 'many',
        memoryWorkers: '1MiB',
        disks: ['floppy:1GiB', 'virtio:none', 'nvme:1GiB:color=red'],
        presets: ['iso', 'disk-image'],
        schematicId: 'short',
        osVersion: '1.14',
        imageFactoryUrl: 'factory',
        fleetApiEndpoint: `fleet?jointoken=${secret}`,
      }),
    { instanceOf: ClusterError, code: 'ERR_CLUSTER_REQUEST' },
  );
  t.is(error?.message.split('\n').length, 14);
  t.false(error?.message.includes(secret));
});

for (const [presets, words] of [
  [[], 'at least one boot method preset'],
  [['maintenance'], 'at least one boot method preset'],
  [['disk-image', 'disk-image'], 'multiple boot method presets'],
  [['pxe', 'secureboot'], 'pxe brings no keys of Secure Boot; iso-secureboot does'],
  [['floppy'], '"floppy" is none of'],
] as const) {
  test(`presets ${presets.join(', ') || 'none'}: ${words}`, (t) => {
    const error = t.throws(() => readRequest({ ...usualFlags, presets }));
    t.true(error?.message.includes(words), error?.message);
  });
}

test('a disk by virtiofs is a directory by its tag, for workers', (t) => {
  const disks = ['virtio:10GiB', 'virtiofs:1GiB:tag=data'];
  const { nodes } = makePlan(readRequest({ ...usualFlags, disks }), id);
  t.deepEqual(
    nodes.map((node) => [node.disks.length, node.shares]),
    [
      [1, undefined],
      [1, ['data']],
    ],
  );
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['virtiofs:1GiB', /tag=…, at most 36/],
    ['virtiofs:1GiB:serial=A', /tag=…, at most 36/],
    ['virtiofs:1GiB:tag=../x', /tag=…, at most 36/],
    ['virtiofs:1GiB:tag=data', /two have the tag data/],
    ['virtiofs:much:tag=other', /size "much"/],
    ['nvme:1GiB:tag=data', /option "tag=data"/],
  ];
  for (const [text, message] of wrong)
    t.throws(() => readRequest({ ...usualFlags, disks: [...disks, text] }), { message }, text);
  t.throws(() => readRequest({ ...usualFlags, disks: ['virtiofs:1GiB:tag=data'] }), {
    message: /the system disk/,
  });
});

test('each way to boot has its image, and its place behind a disk that can be started', (t) => {
  const place = `http://127.0.0.1:8081/image/${'a'.repeat(64)}/v1.14.0-alpha.0`;
  for (const [preset, image, boot] of [
    ['disk-image', { url: `${place}/metal-amd64.raw` }, undefined],
    [
      'iso',
      { iso: `${place}/metal-amd64.iso` },
      { kind: 'iso', file: '../../boot/medium.iso', after: 'disk' },
    ],
    [
      'iso-secureboot',
      { iso: `${place}/metal-amd64-secureboot.iso` },
      { kind: 'iso', file: '../../boot/medium.iso', after: 'disk' },
    ],
    ['pxe', { pxe: `${place.replace('/image/', '/pxe/')}/metal-amd64` }, { kind: 'network', after: 'disk' }],
  ] as const) {
    const plan = makePlan(readRequest({ ...usualFlags, presets: [preset] }), id);
    const [node] = plan.nodes;
    const machine = machineOf(plan, node!);
    t.deepEqual(plan.request.image, image);
    t.deepEqual(machine.boot, boot);
    const isSecure = preset === 'iso-secureboot';
    t.is(machine.firmware, isSecure ? 'uefi-secure-boot' : 'uefi');
    t.is(machine.tpm, isSecure ? 'crb' : 'none');
  }
  for (const flags of [{ withUefi: false }, { diskImagePath: '/image' }])
    t.throws(() => readRequest({ ...usualFlags, presets: ['pxe'], ...flags }), {
      code: 'ERR_CLUSTER_REQUEST',
    });
});

test('the same request and id give the same plan, and another id another one', (t) => {
  const request = readRequest(usualFlags);
  const plan = makePlan(request, id);
  t.deepEqual(makePlan(request, id), plan);
  const [controlplane, worker] = plan.nodes;
  t.like(controlplane, {
    name: 'example-controlplane-1',
    address: '10.5.0.2',
    door: { address: '127.5.0.2', port: 50_000 },
    tap: 'tap1-0',
    disks: [{ driver: 'virtio', serial: '1-0', sizeBytes: 10 * 2 ** 30 }],
  });
  t.is(worker?.disks.length, 2);
  t.regex(controlplane?.uuid ?? '', /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  t.regex(controlplane?.mac ?? '', /^02(:[\da-f]{2}){5}$/);
  const other = makePlan(request, id.replaceAll('0', 'f'));
  t.not(other.nodes[0]?.uuid, controlplane?.uuid);
  t.not(other.nodes[0]?.mac, controlplane?.mac);
  t.not(other.lan?.namespace, plan.lan?.namespace);
});

function outlets(factory: string): unknown {
  return makePlan(readRequest({ ...usualFlags, imageFactoryUrl: factory }), id).lan?.outlets;
}

test('services of this computer are reached at the gateway, others are not', (t) => {
  t.deepEqual(outlets('http://localhost:8081'), [
    { port: 8081, target: { address: '127.0.0.1', port: 8081 } },
  ]);
  t.deepEqual(outlets('http://10.5.0.1:8081'), [
    { port: 8081, target: { address: '127.0.0.1', port: 8081 } },
  ]);
  t.deepEqual(outlets('https://factory.example'), []);
});

test('a machine is on its tap', (t) => {
  const plan = makePlan(readRequest({ ...usualFlags, presets: ['disk-image', 'secureboot'] }), id);
  const [node] = plan.nodes;
  const machine = machineOf(plan, node!);
  t.like(machine, { firmware: 'uefi-secure-boot', tpm: 'crb', uuid: node?.uuid });
  t.deepEqual(machine.nics?.[0]?.backend, { kind: 'tap', interface: 'tap1-0' });
});

test('one machine alone is on a network of QEMU, with its door in it, and starts from a kernel beside its disks', (t) => {
  const image = { kernel: '/boot/kernel', initrd: '/boot/initrd', arguments: 'quiet' };
  const request: ClusterRequest = {
    ...readRequest({ ...usualFlags, workers: '0', withUefi: false }),
    image,
    network: 'user',
    tpm: true,
    sharedDisks: 2,
  };
  const plan = makePlan(request, id, () => ({ address: '127.0.0.1', port: 50_007 }));
  t.is(lanOf(plan), undefined);
  const [node] = plan.nodes;
  const machine = machineOf(plan, node!);
  t.like(machine, {
    firmware: 'bios',
    tpm: 'crb',
    boot: { kind: 'kernel', ...image },
  });
  t.is(machine.disks.length, 2);
  t.deepEqual(machine.nics?.[0]?.backend, { kind: 'user', forwards: [{ host: 50_007, guest: 50_000 }] });
});

test('a system disk that nothing starts from has a META partition, by which a node knows it', async (t) => {
  const path = join(await temporaryDirectory(t), 'system.disk');
  await makeSystemDisk(path, 64 << 20, 'example');
  const { stdout } = await promisify(execFile)('/usr/sbin/sfdisk', ['--json', path]);
  const { partitiontable } = JSON.parse(stdout) as {
    readonly partitiontable: {
      readonly partitions: readonly { readonly name: string; readonly size: number }[];
    };
  };
  t.deepEqual(
    partitiontable.partitions.map(({ name, size }) => [name, size]),
    [['META', 2048]],
  );
  t.is((await stat(path)).size, 64 << 20);
});
