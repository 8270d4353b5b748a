import test from 'ava';

import type { BootSource } from '../src/boot-source.ts';
import { qemuArguments as argumentsOf } from '../src/qemu-arguments.ts';
import { type DiskDriver, type MachineSpec, problems } from '../src/spec.ts';
import type { BootFiles } from '../src/boot-files.ts';

const drivers: readonly DiskDriver[] = ['virtio', 'nvme', 'scsi', 'ahci', 'ide', 'usb', 'megaraid', 'mmc'];

/** A machine with a disk on every driver. */
const machine: MachineSpec = {
  name: 'every-driver',
  uuid: '6c1f0c2e-4f1d-4d0e-9a53-7b1e2d9c8f04',
  firmware: 'bios',
  tpm: 'none',
  memoryMib: 3072,
  cpus: 1,
  disks: drivers.map((driver) => ({ driver, sizeBytes: 2 ** 30, serial: `RIG-${driver}-0` })),
  boot: { kind: 'kernel', kernel: '/k', initrd: 'initrd', arguments: 'quiet' },
};

const files: BootFiles = {
  console: 'console.log',
  control: { descriptor: 3 },
  disk: ({ serial }) => `/a,b/${serial}`,
};

const qemuArguments = (spec: MachineSpec, more: Partial<BootFiles> = {}): string[] =>
  argumentsOf(spec, { ...files, ...more }, 'tcg');

test('a machine with a disk on every driver is one that can be built', (t) => {
  t.deepEqual(problems(machine), []);
});

const isKept = (spec: MachineSpec): boolean => qemuArguments(spec).includes('enable=pci_nvme_eventidx_sq');

test('a machine that has NVMe disks, or may get some, loses none of their commands', (t) => {
  const disks = machine.disks.filter(({ driver }) => driver !== 'nvme');
  t.true(isKept(machine));
  t.true(isKept({ ...machine, disks, slots: 1 }));
  t.false(isKept({ ...machine, disks }));
});

test('every disk is a drive and a device with its serial, and a comma in a path stays in the path', (t) => {
  const line = qemuArguments(machine).join(' ');
  for (const { driver, serial } of machine.disks) {
    t.true(line.includes(`file=/a,,b/${serial},format=raw`));
    t.is(line.includes(`,serial=${serial}`), driver !== 'mmc', serial);
  }
});

const counted = (spec: MachineSpec): readonly number[] =>
  ['qemu-xhci,', 'virtio-scsi-pci,'].map(
    (device) => qemuArguments(spec).filter((each) => each.startsWith(device)).length,
  );

test('a controller is there without a disk when it is asked for, and once with one', (t) => {
  const disks = machine.disks.filter(({ driver }) => driver === 'virtio');
  t.deepEqual(counted({ ...machine, disks }), [0, 0]);
  t.deepEqual(counted({ ...machine, disks, controllers: ['usb', 'scsi'] }), [1, 1]);
  t.deepEqual(counted({ ...machine, controllers: ['usb', 'scsi'] }), [1, 1]);
});

function processorOf(accelerator: 'kvm' | 'tcg'): string | undefined {
  const args = argumentsOf(machine, files, accelerator);
  return args[args.indexOf('-cpu') + 1];
}

test('a console is appended to, so that it may be emptied while a machine runs', (t) => {
  const line = qemuArguments(machine);
  t.is(line[line.indexOf('-serial') - 1], `file,id=console,path=${files.console},append=on`);
});

test('an emulated processor does not say that it copies strings fast, which it does byte by byte', (t) => {
  t.is(processorOf('tcg'), 'max,-erms');
  t.is(processorOf('kvm'), 'max');
});

const drives = (spec: MachineSpec): string[] => qemuArguments(spec).filter((each) => each.includes('cache='));

test('flushes of the guest reach the disk of this computer unless nobody would miss the machine', (t) => {
  for (const durability of [undefined, 'host-crash'] as const) {
    const lines = drives({ ...machine, ...(durability && { durability }) });
    t.is(lines.length, drivers.length);
    t.true(lines.every((line) => line.includes(',cache=writeback,')));
  }
  t.true(drives({ ...machine, durability: 'none' }).every((line) => line.includes(',cache=unsafe,')));
});

test('a recorded disk is behind its record, under the same name', (t) => {
  const disk = { driver: 'virtio', sizeBytes: 1, serial: 'A', record: '/r,1' } as const;
  const args = qemuArguments({ ...machine, disks: [disk] });
  const drive = args[args.indexOf('-blockdev') + 1];
  t.regex(
    drive ?? '',
    /^driver=blklogwrites,node-name=drive-A,.*file\.filename=\/a,,b\/A,.*log\.filename=\/r,,1$/,
  );
  t.true(args.some((arg) => arg.startsWith('virtio-blk-pci,drive=drive-A,')));
});

test('a controller that disks share appears once', (t) => {
  const spec: MachineSpec = {
    ...machine,
    disks: [
      { driver: 'scsi', sizeBytes: 1, serial: 'A' },
      { driver: 'scsi', sizeBytes: 1, serial: 'B' },
    ],
  };
  const args = qemuArguments(spec);
  t.is(args.filter((arg) => arg.startsWith('virtio-scsi-pci')).length, 1);
  t.deepEqual(
    args.filter((arg) => arg.startsWith('scsi-hd')),
    [
      'scsi-hd,bus=scsi.0,scsi-id=0,drive=drive-A,id=disk-A,serial=A',
      'scsi-hd,bus=scsi.0,scsi-id=1,drive=drive-B,id=disk-B,serial=B',
    ],
  );
});

test('ports of the machine are reached from the loopback only', (t) => {
  const forwards = [{ host: 50_000, guest: 50_000 }];
  const spec: MachineSpec = { ...machine, nics: [{ backend: { kind: 'user', forwards } }] };
  const netdev = qemuArguments(spec).find((arg) => arg.startsWith('user,'));
  t.is(netdev, 'user,id=net0,restrict=on,hostfwd=tcp:127.0.0.1:50000-10.0.2.15:50000');
});

const startingFrom = (bootFile: string): MachineSpec => ({
  ...machine,
  nics: [{ backend: { kind: 'user', bootFile } }],
});

test('the network of a card names the file to start from, as long as its field is', (t) => {
  const netdev = qemuArguments(startingFrom('http://10.0.2.2:8081/a,b')).find((arg) =>
    arg.startsWith('user,'),
  );
  t.is(netdev, 'user,id=net0,restrict=on,bootfile=http://10.0.2.2:8081/a,,b');
  t.deepEqual(problems(startingFrom('a'.repeat(127))), []);
  t.deepEqual(problems(startingFrom('a'.repeat(128))), [
    'network card 0: a file to start from has at most 127 characters',
  ]);
});

test('a disk is a raw file unless it is said to be another, of which there is no record', (t) => {
  const disk = { driver: 'virtio', sizeBytes: 1, serial: 'A', file: '/a.qcow2', format: 'qcow2' } as const;
  const spec: MachineSpec = { ...machine, disks: [disk] };
  t.regex(drives(spec).join(), /,format=qcow2,/);
  t.deepEqual(problems(spec), []);
  t.deepEqual(problems({ ...spec, disks: [{ ...disk, record: '/r' }] }), [
    'disk A: a record is of a raw file',
  ]);
});

test('a share is a device with its tag, and the memory of the machine is shared with who serves it', (t) => {
  const spec = { ...machine, shares: [{ tag: 'data', directory: '/srv' }] };
  const shares = new Map([['data', 'share-1.sock']]);
  const line = qemuArguments(spec, { shares }).join(' ');
  t.true(line.includes('-chardev socket,id=share-data,path=share-1.sock'));
  t.true(line.includes('-device vhost-user-fs-pci,chardev=share-data,tag=data'));
  t.true(line.includes(`-object memory-backend-memfd,id=ram,size=${spec.memoryMib}M,share=on`));
  t.regex(line, /-machine q35,[^ ]*,memory-backend=ram/);
  t.false(qemuArguments(machine).join(' ').includes('memory-backend'));
  const twice = { ...spec, shares: [...spec.shares, { tag: 'data', directory: '/' }] };
  t.deepEqual(problems(twice), ['two shares with tag data']);
});

test('what a machine cannot be is said all at once', (t) => {
  const found = problems({
    ...machine,
    name: 'No Name',
    disks: [
      { driver: 'mmc', sizeBytes: 3, serial: 'CARD' },
      { driver: 'nvme', sizeBytes: 3, serial: 'CARD' },
      { driver: 'nvme', sizeBytes: 3, serial: 'a serial with spaces' },
    ],
  });
  t.deepEqual(found, [
    'mmc disk CARD: size is not a power of two',
    'two disks with serial CARD',
    'disk serial a serial with spaces',
    'name No Name',
  ]);
});

const nic = (line: readonly string[], index: number): readonly string[] =>
  line.filter((word) => new RegExp(`\\b(id|netdev)=net${index}(,|$)`).test(word));

test('network cards are told apart by their place, and each is what its value says', (t) => {
  const spec: MachineSpec = {
    ...machine,
    nics: [
      { backend: { kind: 'user', restricted: false } },
      { backend: { kind: 'tap', descriptor: 20 }, mac: '52:54:00:00:00:02', mtu: 1400 },
      { backend: { kind: 'socket', path: 'a,b.sock' }, model: 'e1000' },
      { backend: { kind: 'socket', path: 'c.sock', listens: true }, model: 'rtl8139' },
    ],
  };
  t.deepEqual(problems(spec), []);
  const line = qemuArguments(spec, { tap: (index) => index + 4 });
  t.deepEqual(nic(line, 0), ['user,id=net0', 'virtio-net-pci,netdev=net0,id=nic0,romfile=']);
  t.deepEqual(nic(line, 1), [
    'tap,id=net1,fd=5',
    'virtio-net-pci,netdev=net1,id=nic1,mac=52:54:00:00:00:02,host_mtu=1400,romfile=',
  ]);
  t.deepEqual(nic(line, 2), [
    'stream,id=net2,server=off,addr.type=unix,addr.path=a,,b.sock',
    'e1000,netdev=net2,id=nic2,romfile=',
  ]);
  t.deepEqual(nic(line, 3), [
    'stream,id=net3,server=on,addr.type=unix,addr.path=c.sock',
    'rtl8139,netdev=net3,id=nic3,romfile=',
  ]);
});

const indexed = (spec: MachineSpec): readonly string[] =>
  qemuArguments(spec).filter((word) => word.includes('bootindex=0'));

test('exactly what a machine starts from comes first in its boot order', (t) => {
  const nics: MachineSpec['nics'] = [{ backend: { kind: 'user' } }, { backend: { kind: 'user' } }];
  const from = (boot: BootSource): readonly string[] => indexed({ ...machine, nics, boot });
  t.deepEqual(from({ kind: 'disk' }), [
    'virtio-blk-pci,drive=drive-RIG-virtio-0,id=disk-RIG-virtio-0,serial=RIG-virtio-0,bootindex=0',
  ]);
  t.deepEqual(from({ kind: 'network' }), ['virtio-net-pci,netdev=net0,id=nic0,bootindex=0']);
  t.deepEqual(from({ kind: 'iso', file: '/a,b.iso' }), ['ide-cd,bus=ide.0,drive=boot-media,bootindex=0']);
  t.deepEqual(from({ kind: 'usb', file: '/a.img' }), [
    'usb-storage,bus=boot-usb.0,drive=boot-media,removable=on,bootindex=0',
  ]);
  t.deepEqual(from({ kind: 'uki', file: '/a.efi' }), []);
  const line = qemuArguments({ ...machine, boot: { kind: 'iso', file: '/a,b.iso' } });
  t.true(line.includes('if=none,id=boot-media,file=/a,,b.iso,format=raw,readonly=on,media=cdrom'));
  t.false(line.includes('-kernel'));
  const { boot: _, ...disk } = machine;
  t.is(indexed(disk).length, 1, 'the first disk unless it is told otherwise');
});

test('a CD and a network card may come after the disk, with firmware that goes on behind one it can not start', (t) => {
  const nics: MachineSpec['nics'] = [{ backend: { kind: 'user' } }];
  for (const [boot, other] of [
    [{ kind: 'iso', file: '/a.iso', after: 'disk' }, 'ide-cd,bus=ide.0,drive=boot-media'],
    [{ kind: 'network', after: 'disk' }, 'virtio-net-pci,netdev=net0,id=nic0'],
  ] as const) {
    const spec = { ...machine, firmware: 'uefi', nics, boot } as const;
    t.deepEqual(problems(spec), []);
    t.is(indexed(spec).length, 1);
    t.true(indexed(spec)[0]?.startsWith('virtio-blk-pci,'));
    t.true(qemuArguments(spec).includes(`${other},bootindex=1`));
    t.deepEqual(problems({ ...spec, firmware: 'bios' }), [
      'a BIOS starts a disk that has a partition table, or hangs: nothing comes after it',
    ]);
  }
});

test('a control port and serial ports are descriptors of this process, or sockets that others find', (t) => {
  const spec = { ...machine, ports: ['rig.runner'] };
  const ports = new Map([['rig.runner', { descriptor: 4 }]]);
  const line = qemuArguments(spec, { ports }).join(' ');
  t.true(line.includes('-chardev socket,id=port0,fd=4 -device virtserialport,chardev=port0,name=rig.runner'));
  t.true(line.includes('-chardev socket,id=control,fd=3 -mon chardev=control,mode=control'));
  const kept = qemuArguments(spec, { control: { socket: 'control.sock' } }).join(' ');
  t.true(kept.includes('-chardev socket,id=control,path=control.sock,server=on,wait=off'));
});

test('a machine that can not start, and cards that can not be, are said', (t) => {
  const user = { kind: 'user' } as const;
  const found = problems({
    ...machine,
    disks: [],
    boot: { kind: 'disk' },
    ports: ['a', 'a', 'b,c'],
    nics: [
      { backend: user, mac: '53:54:00:00:00:01' },
      { backend: user, mac: '52:54:00:00:00:0a', mtu: 10 },
      { backend: { ...user, forwards: [{ host: 0, guest: 1 }] }, mac: '52:54:00:00:00:0A' },
      { backend: user, model: 'e1000', mtu: 1400 },
    ],
  });
  t.deepEqual(found, [
    'two ports with name a',
    'port b,c',
    "network card 0: address 53:54:00:00:00:01 is not one station's",
    'network card 1: MTU 10',
    'network card 2: another has the address 52:54:00:00:00:0A',
    'network card 2: port 0',
    "network card 3: e1000 can't say an MTU",
    'it boots from a disk and has none',
  ]);
  t.deepEqual(problems({ ...machine, boot: { kind: 'uki', file: 'x.efi' } }), [
    'a unified kernel image boots with UEFI only',
  ]);
  t.deepEqual(problems({ ...machine, boot: { kind: 'network' } }), [
    'it boots from a network card and has none',
  ]);
});

test('processors and memory are divided into NUMA nodes, evenly or not at all', (t) => {
  const line = qemuArguments({ ...machine, cpus: 4, numaNodes: 2, iommu: true }).join(' ');
  t.true(
    line.includes(
      '-object memory-backend-ram,id=memory0,size=1536M -numa node,nodeid=0,cpus=0-1,memdev=memory0',
    ),
  );
  t.true(line.includes('-numa node,nodeid=1,cpus=2-3,memdev=memory1'));
  t.true(line.includes('-device intel-iommu,intremap=on,device-iotlb=on'));
  t.deepEqual(problems({ ...machine, cpus: 3, numaNodes: 2 }), [
    "3 processors and 3072 MiB don't divide into 2 NUMA nodes",
  ]);
  const shares = [{ tag: 'data', directory: '/srv' }];
  t.is(problems({ ...machine, cpus: 2, numaNodes: 2, shares }).length, 1);
});

test('a management controller is there for the guest, and has the identity of the machine', (t) => {
  const line = qemuArguments({ ...machine, controller: true }).join(' ');
  t.true(
    line.includes(`ipmi-bmc-sim,id=controller,guid=${machine.uuid} -device isa-ipmi-kcs,bmc=controller`),
  );
  t.false(qemuArguments(machine).join(' ').includes('ipmi'));
});

test('a tap by its name is no descriptor, and its name is one of an interface', (t) => {
  const nics = [{ backend: { kind: 'tap', interface: 'tap0-0' } }] as const;
  t.true(qemuArguments({ ...machine, nics }).includes('tap,id=net0,ifname=tap0-0,script=no,downscript=no'));
  const wrong = { ...machine, nics: [{ backend: { kind: 'tap', interface: 'a,script=/x' } }] as const };
  t.deepEqual(problems(wrong), ['network card 0: interface a,script=/x']);
  t.deepEqual(problems({ ...machine, variableStore: {} }), ['a BIOS has no store of variables']);
});

function valueOf(spec: MachineSpec, accelerator: 'kvm' | 'tcg', flag: string): string | undefined {
  const line = argumentsOf(spec, files, accelerator);
  return line.includes(flag) ? line[line.indexOf(flag) + 1] : undefined;
}

test('a clock of the machine’s own is the only one that its guest has, also with KVM', (t) => {
  const early = { ...machine, clock: new Date('2011-11-11T11:11:00Z') };
  t.is(valueOf(early, 'tcg', '-rtc'), 'base=2011-11-11T11:11:00,clock=rt');
  t.is(valueOf(early, 'kvm', '-cpu'), 'max,-kvmclock');
  t.is(valueOf(early, 'tcg', '-cpu'), 'max,-erms');
  t.is(valueOf(machine, 'kvm', '-cpu'), 'max');
  t.is(valueOf(machine, 'kvm', '-rtc'), undefined);
});

test('sectors of 4096 bytes are those of a disk that can have them', (t) => {
  const disks = machine.disks.map((disk) => ({ ...disk, sectorSize: 4096 as const }));
  const devices = qemuArguments({ ...machine, disks }).filter((word) =>
    word.includes(',logical_block_size=4096,physical_block_size=4096'),
  );
  t.deepEqual(devices.map((word) => /serial=RIG-(\w+)-0/.exec(word)?.[1] ?? '').toSorted(), [
    'megaraid',
    'nvme',
    'scsi',
    'virtio',
  ]);
});
