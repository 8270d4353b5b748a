import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, realpath, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { command, output, program, root, testWith, virtualNode } from '@nodecore/testkit';

import { type Disk, type Inventory, list, watch } from '../../src/index.ts';
import { blkidVerdict, ourVerdict } from './blkid-program.ts';
import { sfdisk, writeAt } from '../contents.ts';

const inside = testWith(root, virtualNode, program('dmsetup'), program('sfdisk'), program('blkid'));

type Roles = Readonly<Record<'virtio' | 'nvme' | 'nvme2' | 'scsi', string>>;

function roles(): Roles {
  return JSON.parse(process.env['NODECORE_VM_DISKS'] ?? '{}') as Roles;
}

function diskAt({ disks }: Inventory, path: string): Disk | undefined {
  return disks.find(({ devPath }) => devPath === path);
}

inside('real drivers tell what their disks are', async (t) => {
  const { virtio, nvme, scsi } = roles();
  const inventory = await list();
  t.like(diskAt(inventory, nvme), {
    transport: 'nvme',
    serial: 'RIG-NVME-0',
    model: 'QEMU NVMe Ctrl',
    size: 1n << 30n,
    sectorSize: 512,
    rotational: false,
    readonly: false,
    cdrom: false,
    subSystem: '/sys/class/block',
    secondaryDisks: [],
  });
  t.regex(diskAt(inventory, nvme)?.wwid ?? '', /^(nvme|eui|uuid)\./);
  t.regex(diskAt(inventory, nvme)?.firmwareVersion ?? '', /\S/);
  t.regex(diskAt(inventory, nvme)?.busPath ?? '', /^\/pci.*\/nvme$/);
  t.like(diskAt(inventory, virtio), { transport: 'virtio', serial: 'RIG-VIRTIO-0', size: 1n << 30n });
  t.regex(diskAt(inventory, virtio)?.modalias ?? '', /^virtio:/);
  t.like(diskAt(inventory, scsi), { transport: 'virtio', serial: 'RIG-SCSI-0', model: 'QEMU HARDDISK' });
  t.regex(diskAt(inventory, scsi)?.modalias ?? '', /^scsi:/);
  for (const { devPath, error } of inventory.disks) t.is(error, undefined, devPath);
});

inside('a partition table on a real disk is announced, and is what blkid says', async (t) => {
  const { scsi } = roles();
  const watching = watch();
  t.teardown(() => watching.return?.());
  await watching.next();
  t.teardown(async () => {
    await writeAt(scsi, 0n, new Uint8Array(1 << 20));
    await writeAt(scsi, (1n << 30n) - (1n << 20n), new Uint8Array(1 << 20));
    await output(['blockdev', '--rereadpt', scsi]);
  });
  await sfdisk(scsi, 'label: gpt\nsize=64M, name="the first"\nsize=32M, name=second\n');
  await output(['blockdev', '--rereadpt', scsi]);
  const named = ({ volumes }: Inventory): boolean =>
    volumes.some(
      ({ parentDevPath, partitionLabel }) => parentDevPath === scsi && partitionLabel === 'second',
    );
  const inventory = await until(watching, named);
  const found = inventory.volumes.filter(({ devPath, parentDevPath }) =>
    [devPath, parentDevPath].includes(scsi),
  );
  t.is(found.length, 3);
  for (const volume of found)
    t.deepEqual(ourVerdict(volume), await blkidVerdict(volume.devPath), volume.devPath);
});

/** Disks of the kernel's own emulation, which live in its memory. */
function emulated({ disks }: Inventory): readonly Disk[] {
  return disks.filter(({ model }) => model === 'scsi_debug');
}

function attribute(disk: Disk | undefined, name: string): string {
  return `/sys/block/${disk?.id ?? ''}/device/${name}`;
}

inside('disks that are plugged in, grow and are pulled while somebody watches are followed', async (t) => {
  const { nvme2 } = roles();
  const watching = watch();
  t.teardown(() => watching.return?.());
  while (!watching.settled) await watching.next();

  t.teardown(() => command(['modprobe', '--remove', 'scsi_debug']));
  await output(['modprobe', 'scsi_debug', 'max_luns=8', 'dev_size_mb=8', 'virtual_gb=1']);
  const plugged = await until(watching, (inventory) => emulated(inventory).length === 8);
  t.true(emulated(plugged).every(({ size, error }) => size === 1n << 30n && error === undefined));

  const [grows, goes] = emulated(plugged);
  await writeFile('/sys/bus/pseudo/drivers/scsi_debug/virtual_gb', '2');
  await writeFile(attribute(grows, 'rescan'), '1');
  await until(watching, (inventory) => diskAt(inventory, grows?.devPath ?? '')?.size === 2n << 30n);

  const host = /\/host(\d+)\//.exec(await realpath(attribute(goes, '')))?.[1] ?? '';
  await writeFile(attribute(goes, 'delete'), '1');
  await until(watching, (inventory) => emulated(inventory).length === 7);
  await writeFile(`/sys/class/scsi_host/host${host}/scan`, '- - -');
  await until(watching, (inventory) => emulated(inventory).length === 8);
  await output(['modprobe', '--remove', 'scsi_debug']);
  await until(watching, (inventory) => emulated(inventory).length === 0);

  await writeFile(`/sys/block/${nvme2.replace('/dev/', '')}/device/device/remove`, '1');
  await until(watching, (inventory) => diskAt(inventory, nvme2) === undefined);
  await writeFile('/sys/bus/pci/rescan', '1');
  const back = await until(watching, ({ disks }) => disks.some(({ serial }) => serial === 'RIG-NVME-1'));
  t.is(back.disks.find(({ serial }) => serial === 'RIG-NVME-1')?.devPath, nvme2);
  t.deepEqual(back.disks, (await list()).disks);
});

/** The mapping that the test below makes. */
function mapped({ disks }: Inventory): Disk | undefined {
  return disks.find(({ mapping }) => mapping?.name === 'written');
}

inside(
  'what is written through the own node of a mapping is noticed, also when the node comes later',
  async (t) => {
    const { nvme2 } = roles();
    const watching = watch();
    t.teardown(() => watching.return?.());
    while (!watching.settled) await watching.next();
    t.teardown(async () => {
      await output(['dmsetup', 'remove', '--retry', 'written']);
      await writeAt(nvme2, 0n, new Uint8Array(1 << 20));
    });
    const sectors = String((1 << 30) / 512);
    await output(['dmsetup', 'create', 'written', '--table', `0 ${sectors} linear ${nvme2} 0`]);
    const path = '/dev/mapper/written';
    t.false((await lstat(path)).isSymbolicLink(), 'no device manager runs here');
    const shown = await until(watching, (inventory) => mapped(inventory) !== undefined);
    const device = mapped(shown)?.devPath;
    const written = (name: string) => (inventory: Inventory) =>
      inventory.volumes.some((volume) => volume.devPath === device && volume.name === name);
    await output(['mkswap', path]);
    await until(watching, written('swap'));

    await rm(path);
    await output(['dmsetup', 'mknodes', 'written']);
    await output(['wipefs', '--all', path]);
    await until(watching, written(''));
    t.pass();
  },
);

inside('a disk that hangs is published as unresponsive, delays no other, and comes back', async (t) => {
  const { nvme, nvme2, scsi, virtio } = roles();
  const sectors = String((1 << 30) / 512);
  await output(['dmsetup', 'create', 'hanging', '--table', `0 ${sectors} linear ${nvme2} 0`]);
  t.teardown(async () => {
    await command(['dmsetup', 'resume', 'hanging']);
    await output(['dmsetup', 'remove', '--retry', 'hanging']);
  });
  const healthy = await list();
  const stacked = healthy.disks.find(({ transport }) => transport === 'dm');
  t.deepEqual(stacked?.secondaryDisks, [nvme2.replace('/dev/', '')]);
  t.is(stacked?.error, undefined);
  t.deepEqual(
    healthy.volumes.find(({ devPath }) => devPath === nvme2)?.holders,
    stacked === undefined ? [] : [stacked.id],
  );
  const path = stacked?.devPath ?? '';

  await output(['dmsetup', 'suspend', '--noflush', '--nolockfs', 'hanging']);
  const deadlineMs = 2000;
  const watching = watch({ deadlineMs });
  t.teardown(() => watching.return?.());
  const first = await until(watching, (inventory) => diskAt(inventory, path)?.unresponsive === true);
  t.regex(diskAt(first, path)?.error ?? '', /no answer within 2000 ms/);
  for (const other of [nvme, nvme2, scsi, virtio]) {
    t.like(diskAt(first, other), { devPath: other }, other);
    t.is(diskAt(first, other)?.error, undefined, other);
  }

  // Nobody waits for it again: the answer is there at once, from this or any other look.
  const started = performance.now();
  const again = await list({ deadlineMs: 60_000 });
  t.true(performance.now() - started < 30_000);
  t.like(diskAt(again, path), { unresponsive: true });
  t.regex(diskAt(again, path)?.error ?? '', /an earlier call has not returned/);

  await output(['dmsetup', 'resume', 'hanging']);
  const recovered = await until(watching, (inventory) => diskAt(inventory, path)?.error === undefined);
  t.is(diskAt(recovered, path)?.unresponsive, undefined);
});

inside('a program that has listed everything comes to its end while a disk hangs', async (t) => {
  const { nvme2 } = roles();
  const sectors = String((1 << 30) / 512);
  await output(['dmsetup', 'create', 'stuck', '--table', `0 ${sectors} linear ${nvme2} 0`]);
  t.teardown(async () => {
    await command(['dmsetup', 'resume', 'stuck']);
    await output(['dmsetup', 'remove', '--retry', 'stuck']);
  });
  await output(['dmsetup', 'suspend', '--noflush', '--nolockfs', 'stuck']);
  const index = new URL('../../src/index.ts', import.meta.url).href;
  const script = `
    const { list } = await import(${JSON.stringify(index)});
    process.on('exit', () => console.log('ends'));
    const { disks } = await list({ deadlineMs: 2000 });
    console.log(disks.filter(({ unresponsive }) => unresponsive).length);`;
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    // The loop is empty and JavaScript is over. The kernel lets the process go when the disk returns, not before: it has
    // to close the device.
    if (line === 'ends') await output(['dmsetup', 'resume', 'stuck']);
  }
  t.deepEqual(said, ['1', 'ends']);
  t.deepEqual(await exited, [0, null]);
});

/** The next inventory for which `wanted` holds. */
async function until(
  watching: AsyncIterator<Inventory>,
  wanted: (inventory: Inventory) => boolean,
): Promise<Inventory> {
  for (;;) {
    const { value, done } = await watching.next();
    if (done === true) throw new Error('the watch ended');
    if (wanted(value)) return value;
  }
}
