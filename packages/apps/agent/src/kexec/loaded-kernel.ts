import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { errnoName } from '@nodecore/sys';
import type { View } from '@nodecore/view';

import { KexecError } from './errors.ts';
import { kexecFileLoad } from './ffi.ts';

/** What the kernel is to start next. */
export type NextKernel = { readonly linux: View; readonly initrd: View; readonly commandLine: string };

/**
 * Has the running kernel load another one, for a reboot that PID 1 does. It keeps a copy in memory: what is written here goes.
 *
 * @param directory in memory, for the files that the kernel reads; removed afterwards.
 * @throws {KexecError} `ERR_KEXEC_LOAD` when the kernel does not take it.
 */
export async function loadKernel(next: NextKernel, directory: string, signal: AbortSignal): Promise<void> {
  await rm(directory, { recursive: true, force: true }); // left by an agent that was killed
  await mkdir(directory, { mode: 0o700 });
  try {
    const [linux, initrd] = [join(directory, 'linux'), join(directory, 'initrd')];
    await next.linux.writeTo(linux, { mode: 0o600, signal });
    await next.initrd.writeTo(initrd, { mode: 0o600, signal });
    await using kernelFile = await open(linux, 'r');
    await using initrdFile = await open(initrd, 'r');
    const line = Buffer.from(`${next.commandLine}\0`, 'latin1');
    signal.throwIfAborted();
    const { result, errno } = await kexecFileLoad(kernelFile.fd, initrdFile.fd, line);
    if (result !== 0)
      throw new KexecError('ERR_KEXEC_LOAD', `the kernel loads no other one: ${errnoName(errno)}`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
