import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { GrubPrograms } from '@nodecore/boot';
import { cpio, type CpioEntry } from '@nodecore/image';
import { compiledProgram } from '@nodecore/machine';
import { assembleUki } from '@nodecore/uki';
import { fileView, View } from '@nodecore/view';

import { firstProgram } from '../../packages/image/release/src/first-program.ts';
import { makeGrub } from '../../packages/image/release/src/grub.ts';
import { findKernel, type Kernel, moduleFiles } from '../src/kernel.ts';
import { cacheDirectory, checkout, rigCache } from '../src/paths.ts';

/** The boot loader that scripts/setup unpacked. */
export const systemdBoot = (): Promise<View> =>
  fileView(join(cacheDirectory, 'systemd-boot/systemd-boot.efi'));

/** GRUB as a release carries it. */
export async function grubPrograms(directory: string): Promise<GrubPrograms> {
  await makeGrub(directory);
  const read = (name: string): Promise<Buffer> => readFile(join(directory, name));
  return { core: await read('grub-core.img'), boot: await read('grub-boot.img') };
}

/** What a tiny system comes to: it goes off, its kernel panics, or PID 1 of the node OS waits for a driver for ever. */
export type TinyEnd = 'off' | 'panics' | 'hangs';

/**
 * A UKI of Debian's kernel and a first program that says its command line and what an earlier kernel has left, and comes to
 * its end.
 *
 * @param words more of the command line.
 */
export async function tinyUki(
  imageVersion: string,
  end: TinyEnd = 'off',
  words: readonly string[] = [],
): Promise<View> {
  const kernel = findKernel('tiny');
  const release = `ID=nodeos\nIMAGE_ID=nodeos\nVERSION_ID=${imageVersion}\nIMAGE_VERSION=${imageVersion}\n`;
  const line = `console=ttyS0 panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check test.version=${imageVersion}`;
  const stub = await fileView(join(cacheDirectory, 'systemd-boot/stub.efi'));
  const linux = await fileView(kernel.image);
  const initramfs = cpio(await (end === 'hangs' ? hangingSystem(kernel) : countedSystem(kernel)));
  const cmdline =
    end === 'hangs' ? `${line} loglevel=7 os.watchdog=2` : [line, 'quiet', `test.${end}`, ...words].join(' ');
  return await assembleUki({
    stub,
    sections: { osrel: release, cmdline, uname: kernel.version, linux, initrd: initramfs },
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

/** PID 1 of the node OS, on a root whose modprobe never ends: nothing but a watchdog can end it. */
async function hangingSystem(kernel: Kernel): Promise<CpioEntry[]> {
  const modules = await modulesOf(kernel, ['i6300esb']);
  const root = '/layers/root';
  const places = ['dev', 'proc', 'run', 'sys', 'tmp', 'usr', 'usr/sbin', 'var'];
  return [
    await file('/init', await firstProgram('init'), 0o755),
    text('/modules.list', modules.map(({ path }) => `${path}\n`).join('')),
    directory('/modules'),
    ...modules,
    text('/layers.list', `${root}/\n`),
    directory('/layers'),
    directory(root),
    ...places.map((place) => directory(`${root}/${place}`)),
    await file(`${root}/usr/sbin/modprobe`, await fixture('stands-still'), 0o755),
  ];
}

const fixture = (name: string): Promise<string> =>
  compiledProgram(join(checkout, `hw-tests/test/fixtures/${name}.c`), rigCache);

/** In the order of their names, which begin with their place. */
async function modulesOf(kernel: Kernel, names: readonly string[]): Promise<CpioEntry[]> {
  const files = moduleFiles('tiny', kernel, names);
  return await Promise.all(files.map((from, index) => file(`/modules/${index}-${basename(from)}`, from)));
}

async function file(path: string, from: string, mode = 0o644): Promise<CpioEntry> {
  return { kind: 'file', path, mode, content: View.of(await readFile(from)) };
}

function text(path: string, content: string): CpioEntry {
  return { kind: 'file', path, content: View.of(Buffer.from(content)) };
}

function directory(path: string): CpioEntry {
  return { kind: 'directory', path };
}
