import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { GrubPrograms } from '@nodecore/boot';
import { cpio, type CpioEntry } from '@nodecore/image';
import { assembleUki } from '@nodecore/uki';
import { fileView, type View } from '@nodecore/view';

import { makeGrub } from '../../packages/image/release/src/grub.ts';
import { findKernel, type Kernel } from '../src/kernel.ts';
import { cacheDirectory } from '../src/paths.ts';
import { directory, file, firstSystem, fixture, modulesOf } from './first-system.ts';

/** The boot loader that scripts/setup unpacked. */
export const systemdBoot = (): Promise<View> =>
  fileView(join(cacheDirectory, 'systemd-boot/systemd-boot.efi'));

/** GRUB as a release carries it. */
export async function grubPrograms(directory: string): Promise<GrubPrograms> {
  await makeGrub(directory);
  const read = (name: string): Promise<Buffer> => readFile(join(directory, name));
  return { core: await read('grub-core.img'), boot: await read('grub-boot.img') };
}

/**
 * What a tiny system comes to: it goes off, its kernel panics, or PID 1 of the node OS waits for a driver for ever, has an agent that
 * ends whenever it is started, or finds no root.
 */
export type TinyEnd = 'off' | 'panics' | 'hangs' | 'dies' | 'rootless';

/**
 * A UKI of Debian's kernel and a first program that says its command line and what an earlier kernel has left, and comes to
 * its end.
 *
 * @param words more of the command line.
 * @param profiles other ways to start it, with one more word each.
 */
export async function tinyUki(
  imageVersion: string,
  end: TinyEnd = 'off',
  words: readonly string[] = [],
  profiles: readonly string[] = [],
): Promise<View> {
  const kernel = findKernel('tiny');
  const release = `ID=nodeos\nIMAGE_ID=nodeos\nVERSION_ID=${imageVersion}\nIMAGE_VERSION=${imageVersion}\n`;
  const line = `console=ttyS0 panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check test.version=${imageVersion}`;
  const stub = await fileView(join(cacheDirectory, 'systemd-boot/stub.efi'));
  const linux = await fileView(kernel.image);
  const isOfNode = end === 'hangs' || end === 'dies' || end === 'rootless';
  const initramfs = cpio(await (isOfNode ? systems[end](kernel) : countedSystem(kernel)));
  const cmdline = isOfNode
    ? `${line} loglevel=7 os.watchdog=2`
    : [line, 'quiet', `test.${end}`, ...words].join(' ');
  return await assembleUki({
    stub,
    sections: {
      osrel: release,
      cmdline,
      uname: kernel.version,
      linux,
      initrd: initramfs,
      profiles: profiles.map((id) => ({ id, title: id, cmdline: `${cmdline} test.profile=${id}` })),
    },
  });
}

async function countedSystem(kernel: Kernel): Promise<CpioEntry[]> {
  return [
    directory('/dev'),
    await file('/init', await fixture('counted-init'), 0o755),
    directory('/modules'),
    ...(await modulesOf(kernel, ['efi-pstore', 'i6300esb'])),
  ];
}

/** PID 1 of the node OS, on roots that come to nothing. */
const systems = {
  /** Nothing but a watchdog can end it. */
  hangs: async (kernel: Kernel) =>
    await firstSystem(kernel, {
      modules: ['i6300esb'],
      programs: { '/usr/sbin/modprobe': await fixture('stands-still') },
    }),
  dies: async (kernel: Kernel) =>
    await firstSystem(kernel, { modules: ['efi-pstore'], agent: await fixture('dying-agent') }),
  rootless: async (kernel: Kernel) =>
    await firstSystem(kernel, { modules: ['efi-pstore', 'loop'], layers: ['/missing.sqsh'] }),
} as const;
