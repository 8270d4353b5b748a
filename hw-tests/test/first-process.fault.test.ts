import { spawnSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cpio, diskImage } from '@nodecore/image';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { findKernel } from '../src/kernel.ts';
import { crashReportIn } from './crash-report-in.ts';
import { firstSystem, fixture } from './first-system.ts';
import { runUntilOff } from './tiny-machine.ts';
import { systemdBoot, type TinyEnd, tinyUki } from './tiny-system.ts';

const needed = testWith(program('qemu-system-x86_64'), program('mkfs.ext4'));
/* What PID 1 waits for in them takes minutes, most of which nothing happens in. */
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);

const failures: readonly [end: TinyEnd, what: string, reason: RegExp, line: RegExp][] = [
  [
    'dies',
    'whose agent ends whenever it is started',
    /^its first process gave up: the agent died 5 times in ten minutes, at last it ended with 1$/u,
    /^agent: TypeError: nothing works here$/mu,
  ],
  [
    'rootless',
    'without a root',
    /^its first process gave up: \/missing\.sqsh: No such file or directory$/u,
    /^init: the system can not start: \/missing\.sqsh: /mu,
  ],
];

for (const [end, what, reason, line] of failures)
  campaign(`a release ${what} loses its start, and the good one finds why`, async (t) => {
    t.timeout(240_000);
    const directory = await temporaryDirectory(t);
    const disk = join(directory, 'node.raw');
    const tries = { left: 1, done: 0 };
    const image = diskImage({
      recipe: `a good release and one ${what}`,
      esp: {
        systemdBoot: await systemdBoot(),
        entries: [
          { imageVersion: '1.14.0', sequence: 1, uki: await tinyUki('1.14.0') },
          { imageVersion: '1.14.1', sequence: 2, tries, uki: await tinyUki('1.14.1', end) },
        ],
      },
    });
    await image.writeTo(disk);
    const { reasons, console } = await runUntilOff(
      {
        firmware: 'uefi',
        variableStore: {},
        disks: [{ driver: 'virtio', sizeBytes: image.size, serial: 'SYSTEM', file: disk }],
      },
      join(directory, 'machine'),
    );
    t.deepEqual(reasons, ['guest-reset', 'guest-shutdown'], console.slice(-2000));
    t.regex(console, /init: .*test\.version=1\.14\.0\s/u);
    const report = await crashReportIn(console, join(directory, 'pstore'));
    t.regex(report?.reason ?? '', reason);
    t.regex(report?.log ?? '', line);
  });

/** What PID 1 did with a machine one of whose disks does not answer, until it is started anew, and then. */
async function runStuck(t: ExecutionContext, words: string) {
  const directory = await temporaryDirectory(t);
  const [disk, initrd] = [join(directory, 'good.raw'), join(directory, 'initrd')];
  await writeFile(disk, '');
  await truncate(disk, 64 << 20);
  t.is(spawnSync('mkfs.ext4', ['-q', disk]).status, 0);
  const kernel = findKernel('tiny');
  const system = cpio(
    await firstSystem(kernel, {
      modules: ['efi-pstore', 'i6300esb', 'virtio_pci', 'virtio_blk', 'crc32c_generic', 'ext4', 'dm-mod'],
      agent: await fixture('stuck-disk-agent'),
    }),
  );
  await mkdir(join(directory, 'machine'));
  await system.writeTo(initrd);
  const { reasons, consoles } = await runUntilOff(
    {
      firmware: 'bios',
      watchdog: 'reset',
      boot: {
        kind: 'kernel',
        kernel: kernel.image,
        initrd,
        arguments: `console=ttyS0 loglevel=7 panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check ${words}`,
      },
      disks: [{ driver: 'virtio', sizeBytes: 64 << 20, serial: 'GOOD', file: disk }],
    },
    join(directory, 'machine'),
  );
  const [first = '', second = ''] = consoles;
  t.deepEqual(reasons, ['guest-reset', 'guest-shutdown'], first.slice(-3000));
  t.regex(second, /agent: the good disk has it/u);
  t.regex(second, /EXT4-fs \(vda\): mounted filesystem/u);
  t.notRegex(second, /EXT4-fs \(vda\): recovery/u, 'nobody wrote to it any more');
  return first;
}

/** When the kernel said this, in seconds of its clock. */
function secondsOf(console: string, what: string): number {
  return Number(new RegExp(String.raw`\[ *(\d+\.\d+)\] ${what}`, 'u').exec(console)?.[1]);
}

campaign(
  'a forced end of a machine with a disk that does not answer takes five seconds, and its other disks are whole',
  async (t) => {
    t.timeout(180_000);
    const console = await runStuck(t, 'test.force');
    t.regex(console, /init: a disk does not answer: not all is written back/u);
    const took =
      secondsOf(console, 'reboot: Restarting system') -
      secondsOf(console, 'init: the machine begins anew at once');
    t.true(took >= 4 && took < 7, `${took} s`);
  },
);

campaign(
  'the end of a machine with a disk that does not answer comes after five minutes, and no watchdog is before it',
  async (t) => {
    t.timeout(600_000);
    const console = await runStuck(t, 'test.orderly');
    t.regex(console, /init: a disk does not answer: the machine ends without it/u);
    const took =
      secondsOf(console, 'reboot: Restarting system') - secondsOf(console, 'init: the machine begins anew');
    t.true(took >= 300 && took < 360, `${took} s`);
  },
);
