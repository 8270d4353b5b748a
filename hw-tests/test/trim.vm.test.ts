import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import anyTest, { type TestFn } from 'ava';

import { type DiskDriver, type DiskSpec, type GuestProcess, RigMachine } from '../src/index.ts';
import type { Answer, Request } from './inside/trim.ts';

const mib = 1024 ** 2;

const disks: readonly DiskSpec[] = (['virtio', 'nvme', 'scsi'] as const).map((driver) => ({
  driver,
  sizeBytes: 512 * mib,
  serial: `TRIM-${driver.toUpperCase()}`,
}));

/** The program inside the machine, asked line by line. */
class Inside {
  readonly #process: GuestProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #errors: Promise<string>;

  constructor(machine: RigMachine) {
    this.#process = machine.start(['node', '--conditions=source', 'hw-tests/test/inside/trim.ts'], {
      keepInput: true,
    });
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#errors = text(this.#process.stderr);
  }

  async ask(request: Request): Promise<Answer> {
    this.#process.write(Buffer.from(`${JSON.stringify(request)}\n`));
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`${JSON.stringify(request)}: ${await this.#errors}`);
    return JSON.parse(value) as Answer;
  }
}

const test = anyTest as TestFn<{ readonly machine: RigMachine; inside: Inside }>;

test.before(async (t) => {
  const machine = await RigMachine.boot({
    name: 'trim',
    uuid: '2b9e1f64-7c1d-4f0a-9a55-6d3f0e8b7c21',
    firmware: 'bios',
    tpm: 'none',
    memoryMib: 1536,
    cpus: 1,
    disks,
    forwards: [],
  });
  Object.assign(t.context, { machine, inside: new Inside(machine) });
});

test.after.always(async (t) => {
  await t.context.machine?.close();
});

/** What the file behind a disk takes on the host. */
async function usedBytes(machine: RigMachine, driver: DiskDriver): Promise<number> {
  const disk = disks.find((each) => each.driver === driver);
  return (await stat(join(machine.directory, `${disk?.serial}.disk`))).blocks * 512;
}

const filledMib = 48;

const open: readonly (readonly [DiskDriver, 'ext4' | 'xfs' | 'btrfs', 'none' | 'discards'])[] = [
  ['virtio', 'ext4', 'none'],
  ['virtio', 'xfs', 'none'],
  ['virtio', 'btrfs', 'none'],
  ['nvme', 'ext4', 'none'],
  ['nvme', 'xfs', 'none'],
  ['nvme', 'btrfs', 'none'],
  ['scsi', 'ext4', 'none'],
  ['scsi', 'xfs', 'none'],
  ['scsi', 'btrfs', 'none'],
  ['virtio', 'ext4', 'discards'],
  ['nvme', 'xfs', 'discards'],
  ['scsi', 'btrfs', 'discards'],
];

for (const [driver, filesystem, encryption] of open) {
  const what = encryption === 'none' ? filesystem : `${filesystem} in LUKS with allowDiscards`;
  test.serial(`the host gets back what is removed from ${what} on ${driver}`, async (t) => {
    t.timeout(300_000);
    const { machine, inside } = t.context;
    const device = machine.devices.get(`TRIM-${driver.toUpperCase()}`) ?? '';
    await inside.ask({ do: 'fill', device, filesystem, encryption, mib: filledMib });
    const full = await usedBytes(machine, driver);
    const answer = await inside.ask({ do: 'trim' });
    const freed = full - (await usedBytes(machine, driver));
    await inside.ask({ do: 'close' });
    t.deepEqual(answer.disks, [device.slice('/dev/'.length)]);
    t.true((answer.ranges ?? 0) >= 1);
    t.true(freed > 0.9 * (filledMib / 2) * mib, `${freed} of ${(filledMib / 2) * mib} bytes are free again`);
  });
}

for (const driver of ['virtio', 'nvme', 'scsi'] as const)
  test.serial(
    `LUKS without allowDiscards on ${driver} is skipped, and its disk keeps everything`,
    async (t) => {
      t.timeout(300_000);
      const { machine, inside } = t.context;
      const device = machine.devices.get(`TRIM-${driver.toUpperCase()}`) ?? '';
      await inside.ask({ do: 'fill', device, filesystem: 'ext4', encryption: 'closed', mib: 8 });
      const full = await usedBytes(machine, driver);
      const answer = await inside.ask({ do: 'trim' });
      const kept = await usedBytes(machine, driver);
      await inside.ask({ do: 'close' });
      t.deepEqual(answer, { skipped: 'encryption' });
      t.true(kept >= full, `${kept} of ${full} bytes`);
    },
  );

const small = { do: 'fill', filesystem: 'ext4', encryption: 'none', mib: filledMib } as const;

test.serial('a trim waits while others wait for the same disk, and completes when they do not', async (t) => {
  t.timeout(300_000);
  const { machine, inside } = t.context;
  await inside.ask({ ...small, device: machine.devices.get('TRIM-SCSI') ?? '' });
  const { pausedMs, doneBytes, totalBytes } = await inside.ask({ do: 'yield' });
  await inside.ask({ do: 'close' });
  t.true((pausedMs ?? 0) > 0, `${pausedMs} ms`);
  t.is(doneBytes, totalBytes);
});

test.serial('a trim that is taken back ends after its range, and the next one does the rest', async (t) => {
  t.timeout(300_000);
  const { machine, inside } = t.context;
  await inside.ask({ ...small, device: machine.devices.get('TRIM-NVME') ?? '' });
  const full = await usedBytes(machine, 'nvme');
  const { ranges, doneBytes, totalBytes } = await inside.ask({ do: 'abort' });
  t.is(ranges, 1);
  t.true((doneBytes ?? 0) < (totalBytes ?? 0) / 2, `${doneBytes} of ${totalBytes}`);
  await inside.ask({ do: 'trim' });
  const freed = full - (await usedBytes(machine, 'nvme'));
  await inside.ask({ do: 'close' });
  t.true(freed > 0.9 * (filledMib / 2) * mib, `${freed} bytes are free again`);
});

test.serial(
  'power that goes in the middle of a trim costs no file, and the next trim does the rest',
  async (t) => {
    t.timeout(300_000);
    const { machine } = t.context;
    const device = machine.devices.get('TRIM-VIRTIO') ?? '';
    await t.context.inside.ask({ ...small, device });
    const full = await usedBytes(machine, 'virtio');
    const { ranges, doneBytes, totalBytes } = await t.context.inside.ask({ do: 'begin' });
    t.true((ranges ?? 0) >= 2 && (doneBytes ?? 0) < (totalBytes ?? 0), `${doneBytes} of ${totalBytes}`);
    await machine.kill();
    await machine.boot();
    const inside = new Inside(machine);
    t.context.inside = inside;
    const again = machine.devices.get('TRIM-VIRTIO') ?? '';
    const { whole } = await inside.ask({ do: 'mount', device: again, filesystem: 'ext4', mib: filledMib });
    t.is(whole, filledMib / 2);
    await inside.ask({ do: 'trim' });
    const freed = full - (await usedBytes(machine, 'virtio'));
    await inside.ask({ do: 'close' });
    t.true(freed > 0.9 * (filledMib / 2) * mib, `${freed} bytes are free again`);
    const { code, stdout } = await machine.run(['e2fsck', '-fn', again]);
    t.is(code, 0, stdout.toString());
  },
);
