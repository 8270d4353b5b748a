import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { cpio } from '@nodecore/image';
import { compiledProgram } from '@nodecore/machine';
import { assembleUki } from '@nodecore/uki';
import { fileView, View } from '@nodecore/view';

import { findKernel, moduleFiles } from '../src/kernel.ts';
import { cacheDirectory, checkout, rigCache } from '../src/paths.ts';

/** The boot loader that scripts/setup unpacked. */
export const systemdBoot = (): Promise<View> =>
  fileView(join(cacheDirectory, 'systemd-boot/systemd-boot.efi'));

/** What a tiny system comes to: it goes off, its kernel panics, or it stands still until its watchdog bites. */
export type TinyEnd = 'off' | 'panics' | 'hangs';

/** A UKI of Debian's kernel and one program, which says its command line and what an earlier kernel has left, and comes to its end. */
export async function tinyUki(imageVersion: string, end: TinyEnd = 'off'): Promise<View> {
  const init = await compiledProgram(join(checkout, 'hw-tests/test/fixtures/counted-init.c'), rigCache);
  const kernel = findKernel('tiny');
  const modules = moduleFiles('tiny', kernel, ['efi-pstore', 'i6300esb']);
  const initramfs = cpio([
    { kind: 'directory', path: '/dev' },
    { kind: 'file', path: '/init', mode: 0o755, content: View.of(await readFile(init)) },
    { kind: 'directory', path: '/modules' },
    ...(await Promise.all(
      modules.map(async (file, index) => ({
        kind: 'file' as const,
        path: `/modules/${index}-${basename(file)}`,
        mode: 0o644,
        content: View.of(await readFile(file)),
      })),
    )),
  ]);
  const release = `ID=nodeos\nIMAGE_ID=nodeos\nVERSION_ID=${imageVersion}\nIMAGE_VERSION=${imageVersion}\n`;
  const line = `console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check test.version=${imageVersion} test.${end}`;
  const stub = await fileView(join(cacheDirectory, 'systemd-boot/stub.efi'));
  const linux = await fileView(kernel.image);
  return await assembleUki({
    stub,
    sections: { osrel: release, cmdline: line, uname: kernel.version, linux, initrd: initramfs },
  });
}
