import { resolve } from 'node:path';

import { type MachineSpec, problems } from '@nodecore/machine';
import test from 'ava';

import { machineOf } from '../src/machine-spec.ts';
import { ClusterError, type DevFlags, makePlan, readDevRequest } from '../src/index.ts';
import { devFlags as flags } from './requests.ts';

const id = '000102030405060708090a0b0c0d0e0f';

test('primary disks are every machine’s, extra ones those of workers, each with its driver and serial', (t) => {
  const wish = { ...flags, primaryDisks: '2', diskBlockSize: '4096', extraDisks: '2', extraDisksSize: '10' };
  const lists = { extraDisksDrivers: ['nvme'], extraDisksSerials: ['FIRST'] };
  const plan = makePlan(readDevRequest({ ...wish, ...lists }), id);
  const [controlplane, worker] = plan.nodes;
  const primary = { driver: 'virtio', sizeBytes: 6144 * 2 ** 20, sectorSize: 4096 };
  t.deepEqual(controlplane?.disks, [
    { ...primary, serial: '1-0' },
    { ...primary, serial: '1-1' },
  ]);
  t.deepEqual(worker?.disks.slice(2), [
    { driver: 'nvme', sizeBytes: 10 * 2 ** 20, serial: 'FIRST' },
    { driver: 'ide', sizeBytes: 10 * 2 ** 20, serial: '2-3' },
  ]);
  const card = { ...flags, diskDriver: 'mmc' };
  t.is(readDevRequest(card).disks[0]?.sizeBytes, 2 ** 33, 'the usual size is no card’s');
  const everywhere = readDevRequest({ ...wish, ...lists, extraDisksOnControlplanes: true });
  t.is(makePlan(everywhere, id).nodes[0]?.disks.length, 4);
});

test('a kernel has the arguments of the node OS, a console, and what is added and taken away', (t) => {
  const argumentsOf = (extraBootKernelArgs?: string): string => {
    const { image } = readDevRequest({ ...flags, ...(extraBootKernelArgs && { extraBootKernelArgs }) });
    t.like(image, { kernel: resolve('_out/vmlinuz-amd64'), initrd: '/boot/initramfs-amd64.xz' });
    return 'kernel' in image ? image.arguments : '';
  };
  t.regex(argumentsOf(), /^os\.platform=metal .*pti=on.* console=ttyS0$/);
  const changed = argumentsOf('quiet  -console -pti os.debug=1');
  t.regex(changed, / quiet os\.debug=1$/);
  t.notRegex(changed, / console=| pti=/);
  t.deepEqual(readDevRequest({ ...flags, diskImagePath: '/disk.raw' }).image, { path: '/disk.raw' });
});

test('an image with a command line of its own has more arguments by its firmware, or they are refused', (t) => {
  const extraBootKernelArgs = 'quiet os.debug=1';
  for (const image of [
    { ukiPath: '/a.efi' },
    { isoPath: '/a.iso' },
    { usbPath: '/a' },
    { diskImagePath: '/a' },
  ])
    t.deepEqual(readDevRequest({ ...flags, ...image, extraBootKernelArgs }).moreArguments, [
      'quiet',
      'os.debug=1',
    ]);
  t.false('moreArguments' in readDevRequest({ ...flags, extraBootKernelArgs }), 'a kernel has its own');
  for (const [wrong, message] of [
    [{ ipxeBootScript: 'http://x/' }, /^--extra-boot-kernel-args: iPXE/],
    [{ diskImagePath: '/a', withUefi: false }, /^--extra-boot-kernel-args: without UEFI/],
    [{ isoPath: '/a', skipInjectingExtraCmdline: true }, /^--extra-boot-kernel-args: not with/],
    [{ ukiPath: '/a', extraBootKernelArgs: '-pti' }, /^--extra-boot-kernel-args -pti: an image keeps/],
  ] as const)
    t.throws(() => readDevRequest({ ...flags, extraBootKernelArgs, ...wrong }), { message });
});

test('a machine has the hardware that is asked for', (t) => {
  const request = readDevRequest({
    ...flags,
    mtu: '9000',
    numaNodes: '2',
    withIommu: true,
    badRtc: true,
    withTpm2: true,
    withUefi: false,
  });
  const plan = makePlan(request, id);
  const machine = machineOf(plan, plan.nodes[0]!);
  t.like(machine, { numaNodes: 2, iommu: true, tpm: 'crb', firmware: 'bios' });
  t.is(machine.clock?.toISOString(), '2011-11-11T11:11:00.000Z');
  t.is(plan.lan?.mtu, 9000);
  t.is(machine.nics?.[0]?.mtu, 9000);
  const plain = machineOf(makePlan(readDevRequest(flags), id), plan.nodes[0]!);
  for (const key of ['numaNodes', 'iommu', 'clock'] as const) t.false(key in plain);
});

function specOf(more: Partial<DevFlags>): MachineSpec {
  const plan = makePlan(readDevRequest({ ...flags, ...more }), id);
  return machineOf(plan, plan.nodes[0]!);
}

test('a CD, a stick, a UKI and iPXE come before the kernel, and what they start installs on a blank disk', (t) => {
  const all = { isoPath: 'https://x.example/a.iso', usbPath: '/a.img', ukiPath: '/a-${ARCH}.efi' };
  const script = 'http://x.example/boot.ipxe';
  t.is(specOf({}).boot?.kind, 'kernel');
  const medium = '../../boot/medium.iso';
  t.deepEqual(specOf({ ...all, ipxeBootScript: script }).boot, { kind: 'network', after: 'disk' });
  t.deepEqual(specOf(all).boot, { kind: 'iso', file: medium, after: 'disk' });
  t.deepEqual(specOf({ usbPath: '/a.img', ukiPath: '/a.efi' }).boot, {
    kind: 'usb',
    file: medium,
    after: 'disk',
  });
  t.deepEqual(specOf({ ukiPath: all.ukiPath }).boot, { kind: 'uki', file: '/a-amd64.efi' });
  for (const wrong of [{ isoPath: '/a' }, { usbPath: '/a' }, { ukiPath: '/a' }, { ipxeBootScript: script }])
    t.throws(() => readDevRequest({ ...flags, ...wrong, withUefi: false }), { message: /--with-uefi=false/ });
  t.throws(() => readDevRequest({ ...flags, ipxeBootScript: '/boot.ipxe' }), {
    message: /--ipxe-boot-script/,
  });
});

function imageOf(more: Partial<DevFlags>): unknown {
  return readDevRequest({ ...flags, ...more }).image;
}

test('what machines start from is a URL, or a path that is the same in every directory', (t) => {
  t.deepEqual(imageOf({ diskImagePath: 'a.raw' }), { path: resolve('a.raw') });
  t.deepEqual(imageOf({ diskImagePath: 'https://x.example/a.raw.zst' }), {
    url: 'https://x.example/a.raw.zst',
  });
  t.deepEqual(imageOf({ isoPath: './b.iso' }), { iso: resolve('b.iso') });
  t.deepEqual(imageOf({ usbPath: '../c.img' }), { usb: resolve('../c.img') });
  t.deepEqual(imageOf({ ukiPath: 'http://x.example/${ARCH}.efi' }), { uki: 'http://x.example/amd64.efi' });
  t.like(readDevRequest({ ...flags, vmlinuzPath: 'http://x.example/vmlinuz', initrdPath: 'd.xz' }).image, {
    kernel: 'http://x.example/vmlinuz',
    initrd: resolve('d.xz'),
  });
  t.deepEqual(specOf({ ukiPath: 'http://x.example/a.efi' }).boot, {
    kind: 'uki',
    file: '../../boot/uki.efi',
  });
  const url = 'https://user:hidden@x.example/a';
  for (const [more, flag] of [
    [{ diskImagePath: url }, 'disk-image-path'],
    [{ isoPath: url }, 'iso-path'],
    [{ usbPath: url }, 'usb-path'],
    [{ ukiPath: url }, 'uki-path'],
    [{ initrdPath: url }, 'initrd-path'],
    [{ ipxeBootScript: url }, 'ipxe-boot-script'],
    [{ customCniUrl: url }, 'custom-cni-url'],
    [{ discoveryEndpoint: url }, 'discovery-endpoint'],
  ] as const) {
    const error = t.throws(() => readDevRequest({ ...flags, ...more }), { code: 'ERR_CLUSTER_REQUEST' });
    t.true(error?.message.startsWith(`--${flag} (with a user in it): `), error?.message);
    t.notRegex(error?.message ?? '', /hidden/);
  }
  t.throws(() => readDevRequest({ ...flags, isoPath: 'ftp://x.example/a' }), {
    message: '--iso-path ftp://x.example/a: a path, or a URL of http or https',
  });
});

test('a machine has one TPM, and a name of its UUID when that is asked for', (t) => {
  const plan = makePlan(readDevRequest({ ...flags, withTpm12: true, withUuidHostnames: true }), id);
  const [node] = plan.nodes;
  t.is(node?.name, `machine-${node?.uuid}`);
  const { nodes } = makePlan(readDevRequest(flags), id);
  t.deepEqual(
    plan.nodes.map(({ uuid, mac }) => [uuid, mac]),
    nodes.map(({ uuid, mac }) => [uuid, mac]),
    'they are the same machines',
  );
  const spec = machineOf(plan, node!);
  t.like(spec, { tpm: 'tis', tpmVersion: '1.2' });
  t.deepEqual(problems(spec), []);
  t.throws(() => readDevRequest({ ...flags, withTpm12: true, withTpm2: true }), { message: /one TPM/ });
});

test('volumes of the user’s own are on a disk of their own, of every machine, with room for all of them', (t) => {
  const request = readDevRequest({ ...flags, userVolumes: ['data:1GiB:logs:512MiB', 'more:300MiB'] });
  const { nodes } = makePlan(request, id);
  for (const node of nodes) {
    t.deepEqual(
      node.disks.slice(1).map(({ serial }) => serial),
      [`${node.index}-volumes-0`, `${node.index}-volumes-1`],
    );
    t.is(node.disks[1]?.sizeBytes, (1024 + 512 + 6) * 2 ** 20);
  }
  const wrong = { userVolumes: ['data', 'data:1GiB:data:1GiB', 'a/b:1GiB', 'small:1MiB'] };
  const error = t.throws(() => readDevRequest({ ...flags, ...wrong }), { code: 'ERR_CLUSTER_REQUEST' });
  for (const words of ['data: name:size', 'two volumes with the name data', 'name "a/b"', 'size "1MiB"'])
    t.true(error?.message.includes(words), words);
});

test('what opens encrypted volumes is known and there', (t) => {
  const wish = { encryptState: true, withTpm2: true, diskEncryptionKeyTypes: ['tpm', 'uuid'] };
  t.deepEqual(readDevRequest({ ...flags, ...wish }).encryption, {
    state: true,
    ephemeral: false,
    userVolumes: false,
    keys: ['tpm', 'uuid'],
  });
  t.false('encryption' in readDevRequest({ ...flags, diskEncryptionKeyTypes: ['uuid'] }));
  for (const [wrong, message] of [
    [{ diskEncryptionKeyTypes: ['key'] }, /key: none of uuid, kms, tpm/],
    [{ diskEncryptionKeyTypes: [] }, /at least one/],
    [{ diskEncryptionKeyTypes: ['tpm'] }, /tpm: give --with-tpm2/],
  ] as const)
    t.throws(() => readDevRequest({ ...flags, encryptState: true, ...wrong }), { message });
});

function injectionOf(more: Partial<DevFlags>): unknown {
  return readDevRequest({ ...flags, ...more }).injection;
}

test('a configuration is injected where the machine can be told of it', (t) => {
  for (const configInjectionMethod of ['http', 'metal-iso', 'cidata'])
    t.is(injectionOf({ configInjectionMethod }), configInjectionMethod);
  for (const configInjectionMethod of ['', 'default']) {
    const usual = { configInjectionMethod };
    for (const told of [{}, { withUefi: false }, { isoPath: '/a.iso' }, { ukiPath: '/a.efi' }])
      t.is(injectionOf({ ...usual, ...told }), 'http');
    for (const deaf of [
      { diskImagePath: '/disk.raw', withUefi: false },
      { isoPath: '/a.iso', skipInjectingExtraCmdline: true },
      { ipxeBootScript: 'http://x/' },
    ])
      t.is(injectionOf({ ...usual, ...deaf }), undefined, 'it is given it over its API');
  }
  for (const byHand of [{ withApplyConfig: true }, { skipInjectingConfig: true }])
    t.is(injectionOf(byHand), undefined);
  const disk = { diskImagePath: '/disk.raw', configInjectionMethod: 'http' };
  t.is(readDevRequest({ ...flags, ...disk }).injection, 'http');
  for (const [wrong, message] of [
    [{ configInjectionMethod: 'ftp' }, /ftp: none of default, http, metal-iso, cidata/],
    [{ ...disk, withUefi: false }, /http: without UEFI/],
    [{ configInjectionMethod: 'cidata', ipxeBootScript: 'http://x/' }, /cidata: iPXE/],
  ] as const)
    t.throws(() => readDevRequest({ ...flags, ...wrong }), { code: 'ERR_CLUSTER_REQUEST', message });
});

test('frames have the chaos that is asked for, and none without the switch', (t) => {
  const wish = { withNetworkLatency: 50, withNetworkPacketLoss: '0.01', withNetworkBandwidth: '1000' };
  t.deepEqual(readDevRequest({ ...flags, ...wish, withNetworkChaos: true }).chaos, {
    latencyMs: 50,
    loss: 0.01,
    bandwidthKbit: 1000,
  });
  t.false('chaos' in readDevRequest(flags));
  for (const [wrong, words] of [
    [wish, /without --with-network-chaos/],
    [{ withNetworkChaos: true, withNetworkBandwidth: '0' }, /--with-network-bandwidth 0: kbit/],
    [{ withNetworkChaos: true, withNetworkJitter: 5 }, /--with-network-chaos: jitter 5 ms/],
    [{ withNetworkChaos: true, withNetworkPacketReorder: '2' }, /--with-network-packet-reorder 2/],
    [{ withNetworkChaos: true, withNetworkPacketCorrupt: '1e-3' }, /--with-network-packet-corrupt 1e-3/],
  ] as const)
    t.throws(() => readDevRequest({ ...flags, ...wrong }), { code: 'ERR_CLUSTER_REQUEST', message: words });
});

test('all that is wrong with a cluster for developers is said at once', (t) => {
  const error = t.throws(
    () =>
      readDevRequest({
        ...flags,
        name: 'X',
        cpus: '0',
        memoryWorkers: '1MiB',
        disk: '-1',
        primaryDisks: '0',
        diskDriver: 'ide',
        diskBlockSize: '4096',
        extraDisks: '1',
        extraDisksDrivers: ['floppy'],
        extraDisksSerials: ['a/b', 'c'],
        mtu: '576',
        numaNodes: '3',
      }),
    { instanceOf: ClusterError, code: 'ERR_CLUSTER_REQUEST' },
  );
  for (const words of [
    '--name "X"',
    '--cpus 0',
    '--memory-workers 1MiB',
    '--disk -1',
    "--primary-disks can't be less than 1",
    '--disk-block-size 4096: ide',
    '--extra-disks-drivers: driver "floppy"',
    '--extra-disks-serials a/b',
    '--extra-disks-serials: 2 for 1',
    '--mtu 576',
    '--numa-nodes 3',
  ])
    t.true(error?.message.includes(words), words);
});
