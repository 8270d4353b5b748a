import test from 'ava';

import { type Processor, qemuArguments } from '../src/qemu-arguments.ts';
import { type MachineSpec, specProblems } from '../src/spec.ts';
import { standardMachine } from '../../../../hw-tests/src/standard-machine.ts';

const files = {
  kernel: '/k',
  initrd: 'initrd',
  console: 'console.log',
  disk: ({ serial }: { readonly serial: string }) => `/a,b/${serial}`,
};

test('a standard machine is one that can be built', (t) => {
  t.deepEqual(specProblems(standardMachine), []);
});

test('every disk is a drive and a device with its serial, and a comma in a path stays in the path', (t) => {
  const line = qemuArguments(standardMachine, files, { accelerator: 'tcg' }).join(' ');
  for (const { driver, serial } of standardMachine.disks) {
    t.true(line.includes(`file=/a,,b/${serial},format=raw`));
    t.is(line.includes(`,serial=${serial}`), driver !== 'mmc', serial);
  }
});

test('a controller that disks share appears once', (t) => {
  const spec: MachineSpec = {
    ...standardMachine,
    disks: [
      { driver: 'scsi', sizeBytes: 1, serial: 'A' },
      { driver: 'scsi', sizeBytes: 1, serial: 'B' },
    ],
  };
  const args = qemuArguments(spec, files, { accelerator: 'tcg' });
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
  const spec = { ...standardMachine, forwards: [{ host: 50_000, guest: 50_000 }] };
  const netdev = qemuArguments(spec, files, { accelerator: 'tcg' }).find((arg) => arg.startsWith('user,'));
  t.is(netdev, 'user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:50000-10.0.2.15:50000');
});

test('a share is a device with its tag, and the memory of the machine is shared with who serves it', (t) => {
  const spec = { ...standardMachine, shares: [{ tag: 'data', directory: '/srv' }] };
  const shares = new Map([['data', 'share-1.sock']]);
  const line = qemuArguments(spec, { ...files, shares }, { accelerator: 'tcg' }).join(' ');
  t.true(line.includes('-chardev socket,id=share-data,path=share-1.sock'));
  t.true(line.includes('-device vhost-user-fs-pci,chardev=share-data,tag=data'));
  t.true(line.includes(`-object memory-backend-memfd,id=ram,size=${spec.memoryMib}M,share=on`));
  t.regex(line, /-machine q35,[^ ]*,memory-backend=ram/);
  t.false(qemuArguments(standardMachine, files, { accelerator: 'tcg' }).join(' ').includes('memory-backend'));
  const twice = { ...spec, shares: [...spec.shares, { tag: 'data', directory: '/' }] };
  t.deepEqual(specProblems(twice), ['two shares with tag data']);
});

test('what a machine cannot be is said all at once', (t) => {
  const problems = specProblems({
    ...standardMachine,
    name: 'No Name',
    disks: [
      { driver: 'mmc', sizeBytes: 3, serial: 'CARD' },
      { driver: 'nvme', sizeBytes: 3, serial: 'CARD' },
      { driver: 'nvme', sizeBytes: 3, serial: 'a serial with spaces' },
    ],
  });
  t.deepEqual(problems, [
    'mmc disk CARD: size is not a power of two',
    'two disks with serial CARD',
    'disk serial a serial with spaces',
    'name No Name',
  ]);
});

function kernelOptions(processor: Processor): string {
  const options = qemuArguments(standardMachine, files, processor);
  return options[options.indexOf('-append') + 1] ?? '';
}

test('the kernel is told how fast the counter of an emulated processor is, and measures that of a real one', (t) => {
  t.regex(kernelOptions({ accelerator: 'tcg', tickRateKhz: 2_445_424 }), / tsc_early_khz=2445424$/);
  t.regex(kernelOptions({ accelerator: 'kvm' }), /^console=(?!.*tsc_early_khz)/);
});
