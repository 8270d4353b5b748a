import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { copyDiskImage } from '../src/disk-copy.ts';
import { machineOf } from '../src/machine-spec.ts';
import { type HostMemory, memoryNote, memoryProblems } from '../src/memory.ts';
import { lanOf } from '../src/plan.ts';
import { makeSystemDisk } from '../src/system-disk.ts';
import {
  ClusterError,
  type ClusterRequest,
  makePlan,
  planCluster,
  preflightProblems,
  readRequest,
  withPossibleMachines,
} from '../src/index.ts';
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
    url: `http://127.0.0.1:8081/image/${'a'.repeat(64)}/v1.14.0-alpha.0/metal-amd64.raw.zst`,
  });
  const secure = readRequest({ ...usualFlags, presets: ['disk-image', 'secureboot'] });
  t.true('url' in secure.image && secure.image.url.endsWith('/metal-amd64-secureboot.raw.zst'));
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

test('machines of a fleet are named so, and find what they dial on a medium, where an image is told of one', (t) => {
  const fleetApiEndpoint = 'https://127.0.0.1:8080/?jointoken=hidden';
  const request = readRequest({ ...usualFlags, fleetApiEndpoint });
  t.is(request.injection, 'metal-iso');
  t.deepEqual(
    makePlan(request, id).nodes.map(({ name }) => name),
    ['example-machine-1', 'example-machine-2'],
  );
  const presets = ['disk-image', 'maintenance'];
  t.is(readRequest({ ...usualFlags, fleetApiEndpoint, presets }).injection, undefined);
  for (const [more, words] of [
    [{ presets: ['pxe'] }, 'iPXE’s script is the same for all machines'],
    [{ withUefi: false }, 'a BIOS tells no image where to look'],
  ] as const)
    t.throws(() => readRequest({ ...usualFlags, fleetApiEndpoint, ...more }), {
      message: new RegExp(`^--fleet-api-endpoint: ${words}: put a LinkAgentConfig into the schematic`),
    });
});

test('services of this computer are at the gateway, at their ports', (t) => {
  const gatewayServices = ['https://127.0.0.1:8080'];
  const { lan } = makePlan(readRequest({ ...usualFlags, gatewayServices }), id);
  t.deepEqual(
    lan?.outlets.map(({ port }) => port),
    [8081, 8080],
  );
  t.throws(() => readRequest({ ...usualFlags, gatewayServices: ['8080'] }), {
    message: /^--gateway-services 8080: scheme and host expected/,
  });
});

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
    ['disk-image', { url: `${place}/metal-amd64.raw.zst` }, undefined],
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
  await makeSystemDisk(path, { sizeBytes: 64 << 20 }, 'example');
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

test('on a disk with sectors of 4096 bytes the table of META is in the second of those', async (t) => {
  const path = join(await temporaryDirectory(t), 'system.disk');
  await makeSystemDisk(path, { sizeBytes: 64 << 20, sectorSize: 4096 }, 'example');
  t.is((await readFile(path)).toString('latin1', 4096, 4104), 'EFI PART');
  const other = { sizeBytes: 64 << 20, sectorSize: 512 } as const;
  const error = { code: 'ERR_CLUSTER_IMAGE', message: /sectors of 4096 bytes.*--disk-block-size 4096/ };
  await t.throwsAsync(copyDiskImage(path, `${path}.copy`, other), error);
  await copyDiskImage(path, `${path}.copy`, { ...other, sectorSize: 4096 });
});

test('machines that there can’t be are told of with the other problems, and an SD card has the next power of two', (t) => {
  const disks = ['mmc:10GiB', 'virtio:1GiB:serial=A'];
  const { nodes } = makePlan(readRequest({ ...usualFlags, disks }), id);
  t.is(nodes[0]?.disks[0]?.sizeBytes, 16 * 2 ** 30);
  for (const [more, words] of [
    [['mmc:1GiB', 'mmc:1GiB'], 'example-worker-1: more than one mmc disk'],
    [[...disks, 'virtio:1GiB:serial=A'], 'example-worker-1: two disks with serial A'],
    [[...disks, 'virtio:1GiB:serial=2-1', 'virtio:1GiB'], undefined],
    [[...disks, 'virtio:1GiB:serial=2-3', 'virtio:1GiB'], 'example-worker-1: two disks with serial 2-3'],
    [Array.from({ length: 6 }, () => 'ide:1GiB'), 'example-worker-1: more than 4 ide disks'],
  ] as const) {
    const read = (): ClusterRequest => withPossibleMachines(readRequest({ ...usualFlags, disks: more }));
    if (words === undefined) t.notThrows(read);
    else t.throws(read, { code: 'ERR_CLUSTER_REQUEST', message: words });
  }
});

test('machines of a request that no flags have made are looked at before anything is made, too', async (t) => {
  const state = await temporaryDirectory(t);
  const request = { ...readRequest(usualFlags), hardware: { numaNodes: 3 } };
  const error = { code: 'ERR_CLUSTER_REQUEST', message: /^example-controlplane-1: 2 processors/ };
  await t.throwsAsync(planCluster(request, state), error);
  t.deepEqual(await readdir(state), []);
});

function host(totalMib: number, freeMib: number): HostMemory {
  return { totalBytes: totalMib * 2 ** 20, freeBytes: freeMib * 2 ** 20 };
}

test('machines may not have more memory than there is, unless that is wanted, and it is said when little is free', (t) => {
  const request = readRequest(usualFlags); // 2048 and 768 MiB
  t.deepEqual(memoryProblems(request, host(2816, 0)), []);
  t.regex(
    memoryProblems(request, host(2815, 0)).join(''),
    /want 2816 MiB of memory, and there are 2815: .*--overcommit/,
  );
  t.is(memoryNote(request, host(0, 3200)), undefined);
  t.regex(memoryNote(request, host(0, 3100)) ?? '', /may take 2816 MiB of memory, and 3100 are free/);
  const large = {
    ...request,
    controlplanes: 999,
    machines: { ...request.machines, controlplane: { cpus: 1, memoryMib: 2 ** 30 } },
  };
  const words = (overcommits: boolean) => preflightProblems(large, { overcommits }).join('\n');
  t.regex(words(false), /MiB of memory/);
  t.notRegex(words(true), /MiB of memory/);
});
