import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cpio } from '@nodecore/image';
import { compiledProgram } from '@nodecore/machine';
import { assembleUki } from '@nodecore/uki';
import { fileView, View } from '@nodecore/view';

import { findKernel } from '../src/kernel.ts';
import { cacheDirectory, checkout, rigCache } from '../src/paths.ts';

/** The boot loader that scripts/setup unpacked. */
export const systemdBoot = (): Promise<View> =>
  fileView(join(cacheDirectory, 'systemd-boot/systemd-boot.efi'));

/** A UKI of Debian's kernel and one program, which says its command line and goes off, or panics when it is broken. */
export async function tinyUki(imageVersion: string, { isBroken = false } = {}): Promise<View> {
  const init = await compiledProgram(join(checkout, 'hw-tests/test/fixtures/counted-init.c'), rigCache);
  const initramfs = cpio([
    { kind: 'directory', path: '/dev' },
    { kind: 'file', path: '/init', mode: 0o755, content: View.of(await readFile(init)) },
  ]);
  const release = `ID=nodeos\nIMAGE_ID=nodeos\nVERSION_ID=${imageVersion}\nIMAGE_VERSION=${imageVersion}\n`;
  const line = `console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check test.version=${imageVersion}${isBroken ? ' test.broken' : ''}`;
  const stub = await fileView(join(cacheDirectory, 'systemd-boot/stub.efi'));
  const { image, version } = findKernel('tiny');
  const linux = await fileView(image);
  return await assembleUki({
    stub,
    sections: { osrel: release, cmdline: line, uname: version, linux, initrd: initramfs },
  });
}
