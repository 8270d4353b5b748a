import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import anyTest, { type ExecutionContext, type TestFn } from 'ava';

import { blockedTasks } from '../src/blocked-tasks.ts';
import { cacheDirectory, checkout } from '../src/paths.ts';
import { RigMachine, type RigSpec } from '../src/index.ts';

const mib = 1024 ** 2;

const spec: RigSpec = {
  name: 'rig-test',
  uuid: '7a3d8b1e-52c4-4c0f-8f6e-1d2c3b4a5968',
  firmware: 'bios',
  tpm: 'none',
  memoryMib: 1024,
  cpus: 1,
  disks: [
    { driver: 'virtio', sizeBytes: 64 * mib, serial: 'TEST-VIRTIO' },
    { driver: 'nvme', sizeBytes: 512 * mib, serial: 'TEST-NVME', sectorSize: 4096 },
    { driver: 'scsi', sizeBytes: 66 * mib, serial: 'TEST-SCSI' },
    { driver: 'ahci', sizeBytes: 67 * mib, serial: 'TEST-AHCI' },
    { driver: 'ide', sizeBytes: 68 * mib, serial: 'TEST-IDE' },
    { driver: 'usb', sizeBytes: 69 * mib, serial: 'TEST-USB' },
    { driver: 'megaraid', sizeBytes: 70 * mib, serial: 'TEST-MEGARAID' },
    { driver: 'mmc', sizeBytes: 128 * mib, serial: 'TEST-MMC' },
  ],
  forwards: [],
  slots: 1,
  controller: true,
  modules: ['ipmi_si', 'ipmi_devintf'],
};

const test = anyTest as TestFn<{ readonly machine: RigMachine }>;

const host = await mkdtemp(join(tmpdir(), 'nodecore-shares-'));
const shares = ['rig-share', 'rig-fixed'].map((tag) => ({ tag, directory: join(host, tag) }));

test.before(async (t) => {
  for (const { directory } of shares) await mkdir(directory);
  await writeFile(join(host, 'rig-fixed', 'from-host'), 'written outside');
  Object.assign(t.context, { machine: await RigMachine.boot({ ...spec, shares }) });
});

test.after.always(async (t) => {
  await t.context.machine.close();
  await rm(host, { recursive: true });
});

test.serial('the clock of an emulated machine rests on the rate that the rig has measured', async (t) => {
  const said = (await t.context.machine.run(['sh', '-c', 'cat /proc/cmdline; dmesg'])).stdout.toString();
  const told = /tsc_early_khz=(\d+)/.exec(said)?.[1];
  // The counter has a line of its own when it differs from the processor.
  const found = [...said.matchAll(/tsc: Detected ([\d.]+) MHz/g)].at(-1)?.[1];
  if (told === undefined) t.pass('a real processor');
  else t.is(Math.round(Number(found) * 1000), Number(told));
});

test.serial('every kind of disk is found by its serial, with its size', async (t) => {
  const { machine } = t.context;
  for (const disk of spec.disks) {
    const device = machine.devices.get(disk.serial) ?? '';
    const { stdout } = await machine.run(['blockdev', '--getsize64', device]);
    t.is(Number(stdout.toString()), disk.sizeBytes, `${disk.driver} ${device}`);
  }
  const nvme = machine.devices.get('TEST-NVME') ?? '';
  t.is((await machine.run(['blockdev', '--getss', nvme])).stdout.toString(), '4096\n');
});

test.serial('a guest speaks with the controller of its machine by the driver of its kernel', async (t) => {
  const { machine } = t.context;
  const controller = async (...words: readonly string[]): Promise<string> => {
    const place = join(checkout, '.cache/ipmitool');
    const argv = [join(place, 'ipmitool'), '-I', 'open', ...words] as const;
    return (await machine.run(argv, { env: { LD_LIBRARY_PATH: join(place, 'lib') } })).stdout.toString();
  };
  t.regex(await controller('mc', 'info'), /^IPMI Version +: 2\.0$/m);
  t.regex(await controller('mc', 'watchdog', 'get'), /^Watchdog Timer Is: +Stopped/m);
});

test.serial('of a machine that stands still the kernel names what its tasks wait for', async (t) => {
  const { machine } = t.context;
  const script = `mkdir /tmp/still && mkfs.ext4 -q "$DISK" && mount "$DISK" /tmp/still && fsfreeze --freeze /tmp/still
    touch /tmp/still/file &
    until grep --quiet '^State:.D' /proc/$!/status; do :; done`;
  const env = { DISK: machine.devices.get('TEST-VIRTIO') ?? '' };
  const stuck = machine.start(['sh', '-c', script], { env });
  t.teardown(
    async () =>
      await machine.run([
        'sh',
        '-c',
        `fsfreeze --unfreeze /tmp/still; umount /tmp/still; wipefs --all ${env.DISK}`,
      ]),
  );
  await stuck.exited;
  t.regex(await blockedTasks(machine), /task:touch .*\bstate:D/);
});

test.serial('a host that is busy for minutes does not cost the machine its NVMe disks', async (t) => {
  const { machine } = t.context;
  const limits = ['io_timeout', 'admin_timeout'].map((name) => `/sys/module/nvme_core/parameters/${name}`);
  t.is((await machine.run(['cat', ...(limits as [string, string])])).stdout.toString(), '45\n150\n');
});

test.serial(
  'of tens of thousands of commands for an NVMe disk, hundreds at a time, none is lost',
  async (t) => {
    const { machine } = t.context;
    const device = machine.devices.get('TEST-NVME') ?? '';
    // Each read of 1 MiB becomes 256 commands that are told to the disk at once.
    const script = `echo 4 > "/sys/block/\${DISK#/dev/}/queue/max_sectors_kb"
    dd if="$DISK" of=/dev/null iflag=direct bs=1M count=256 status=none
    dmesg | grep -E 'nvme.*timeout'`;
    const { stdout, stderr } = await machine.run(['sh', '-c', script], { env: { DISK: device } });
    t.deepEqual([stdout.toString(), stderr.toString()], ['', '']);
  },
);

test.serial('disks come, grow and go while the machine runs', async (t) => {
  const { machine } = t.context;
  const text = async (...argv: readonly [string, ...string[]]): Promise<string> =>
    (await machine.run(argv)).stdout.toString().trim();
  for (const driver of ['nvme', 'scsi', 'usb'] as const) {
    const serial = `PLUGGED-${driver}`;
    await machine.attachDisk({ driver, sizeBytes: 32 * mib, serial });
    const device = machine.devices.get(serial) ?? '';
    t.is(await text('blockdev', '--getsize64', device), String(32 * mib), driver);
    await machine.detachDisk(serial);
    t.false(machine.devices.has(serial));
    t.is(await text('sh', '-c', 'while [ -e "$1" ]; do :; done; echo gone', 'sh', device), 'gone');
  }
  const virtio = machine.devices.get('TEST-VIRTIO') ?? '';
  await machine.resizeDisk('TEST-VIRTIO', 96 * mib);
  const grown = 'until [ "$(blockdev --getsize64 "$1")" = "$2" ]; do :; done; echo grown';
  t.is(await text('sh', '-c', grown, 'sh', virtio, String(96 * mib)), 'grown');
  const refused = { code: 'ERR_MACHINE_REFUSED' } as const;
  await t.throwsAsync(machine.attachDisk({ driver: 'ahci', sizeBytes: mib, serial: 'LATE' }), refused);
  await t.throwsAsync(machine.resizeDisk('TEST-NVME', 2 ** 30), refused);
  await t.throwsAsync(machine.resizeDisk('NO-SUCH-DISK', mib), { code: 'ERR_RIG_DISK' });
});

test.serial('the machine has its name, its UUID, its own modules and the checkout', async (t) => {
  const { machine } = t.context;
  const text = async (...argv: readonly [string, ...string[]]): Promise<string> =>
    (await machine.run(argv)).stdout.toString().trim();
  t.is(await text('hostname'), spec.name);
  t.is(await text('cat', '/sys/class/dmi/id/product_uuid'), spec.uuid);
  t.is(await text('pwd'), checkout);
  t.is((await machine.run(['modprobe', 'dm-crypt'])).code, 0);
  t.regex(await text('dmsetup', 'targets'), /^crypt /m);
});

test.serial('exit codes are exact, and a signal is 128 and its number', async (t) => {
  const { machine } = t.context;
  t.is((await machine.run(['true'])).code, 0);
  t.is((await machine.run(['sh', '-c', 'exit 7'])).code, 7);
  t.deepEqual(await machine.start(['sh', '-c', 'kill -TERM $$']).exited, { code: 143, signal: 'SIGTERM' });
  const missing = await machine.run(['/no/such/program']);
  t.is(missing.code, 127);
  t.is(missing.stderr.toString(), '/no/such/program: No such file or directory\n');
});

test.serial('bytes pass unchanged in both directions, and both outputs stay apart', async (t) => {
  const { machine } = t.context;
  const input = randomBytes(3 * mib + 17);
  const result = await machine.run(['sh', '-c', 'tee /dev/stderr'], { input });
  t.true(result.stdout.equals(input));
  t.true(result.stderr.equals(input));
});

test.serial('arguments, environment and directory arrive as given', async (t) => {
  const { machine } = t.context;
  const script = 'printf "%s|" "$PWD" "$WORD" "$@"';
  const { stdout } = await machine.run(['sh', '-c', script, 'sh', 'a b', '', '*'], {
    env: { WORD: 'x "y"' },
    cwd: '/usr',
  });
  t.is(stdout.toString(), '/usr|x "y"|a b||*|');
});

test.serial('an aborted command ends with everything it started', async (t) => {
  const { machine } = t.context;
  const abort = new AbortController();
  const running = machine.start(['sh', '-c', 'sleep 1000 & echo $!; wait'], { signal: abort.signal });
  const child = String(
    await running.stdout[Symbol.asyncIterator]()
      .next()
      .then(({ value }) => value),
  ).trim();
  abort.abort();
  t.is((await running.exited).signal, 'SIGKILL');
  t.not((await machine.run(['test', '-d', `/proc/${child}`])).code, 0);
});

test.serial('test files run inside, and each result comes back', async (t) => {
  // The files stand in the checkout's cache: the machine sees the host as it is now.
  const file = join(cacheDirectory, 'rig', `inside-${process.pid}.test.ts`);
  t.teardown(() => rmSync(file, { force: true }));
  writeFileSync(
    file,
    `import { readFileSync } from 'node:fs';
     import test from 'ava';
     test('passes', (t) => t.is(readFileSync('/proc/sys/kernel/hostname', 'utf8'), 'rig-test\\n'));
     test('fails', (t) => t.fail('on purpose'));`,
  );
  const report = await t.context.machine.ava([file]);
  t.deepEqual(report.passed, ['passes']);
  t.deepEqual(report.failed, ['fails']);
  t.is(report.code, 1);
  t.regex(report.tap, /on purpose/);
});

test.serial('the host stays as it is', async (t) => {
  const { machine } = t.context;
  const name = join(checkout, `written-inside-${process.pid}`);
  t.is((await machine.run(['touch', name])).code, 0);
  t.throws(() => rmSync(name), { code: 'ENOENT' });
});

/** Has external volumes made of the shares, inside. */
async function checkShares(t: ExecutionContext<{ readonly machine: RigMachine }>): Promise<void> {
  const text = randomBytes(8).toString('hex');
  const argv = ['node', '--conditions=source', 'hw-tests/test/inside/shares.ts', text] as const;
  const { stdout, stderr } = await t.context.machine.run(argv);
  t.deepEqual(
    JSON.parse(stdout.toString() || '{}'),
    {
      phases: ['failed', 'ready', 'ready'],
      types: ['rig-fixed virtiofs', 'rig-share virtiofs'],
      read: 'written outside',
      refused: 'EROFS',
    },
    stderr.toString(),
  );
  t.is(await readFile(join(host, 'rig-share', 'from-machine'), 'utf8'), text);
}

test.serial(
  'directories of the host are external volumes, which both sides see, one of them only to read',
  checkShares,
);

test.serial(
  'what a filesystem has synced survives a kill, shares are there again, and a power-off leaves it clean',
  async (t) => {
    const { machine } = t.context;
    const prepare = 'mkfs.xfs -q "$1" && mount "$1" /mnt && echo kept > /mnt/file && sync';
    const nvme = (): string => machine.devices.get('TEST-NVME') ?? '';
    t.is((await machine.run(['sh', '-ec', prepare, 'sh', nvme()])).code, 0);
    await machine.kill();
    t.throws(() => machine.start(['true']), { code: 'ERR_RIG_STOPPED' });

    await machine.boot();
    await checkShares(t);
    const read = await machine.run([
      'sh',
      '-ec',
      'mount "$1" /mnt; cat /mnt/file; rm /mnt/file',
      'sh',
      nvme(),
    ]);
    t.is(read.stdout.toString(), 'kept\n');
    await machine.powerOff();

    await machine.boot();
    const after = await machine.run(['sh', '-ec', 'mount "$1" /mnt; ls /mnt; dmesg', 'sh', nvme()]);
    t.notRegex(after.stdout.toString(), /Starting recovery/);
  },
);
