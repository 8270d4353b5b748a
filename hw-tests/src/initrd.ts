import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { compileCache } from './compile-cache.ts';
import { type ArchiveFile, cpio } from './cpio.ts';
import { guestModules } from './disk-drivers.ts';
import { type Kernel, moduleFiles } from './kernel.ts';
import { checkout, guestDirectory, requireFile } from './paths.ts';
import { runnerProgram } from './runner-program.ts';
import type { MachineSpec } from './spec.ts';

/** Without these a machine reaches neither the host's filesystem nor the host. */
const earlyModules = ['virtio_pci', 'virtio_console', '9pnet_virtio', '9p', 'overlay'];

/** There is no udevd that would load by alias; filesystems and crypto modules are asked for by the kernel itself. */
const commonModules = ['virtio_net', 'virtio_rng', 'dm_mod', 'loop'];

/** The first filesystem of a machine: busybox, early modules, the runner, and facts about the machine. */
export async function initrd(spec: MachineSpec, kernel: Kernel): Promise<Buffer> {
  const early = moduleFiles(kernel, earlyModules);
  const facts = {
    RIG_HOSTNAME: spec.name,
    RIG_CHECKOUT: checkout,
    RIG_COMPILE_CACHE: compileCache,
    RIG_KERNEL: kernel.version,
    RIG_MODULES_DIRECTORY: kernel.modulesDirectory,
    RIG_EARLY_MODULES: early.map(plainName).join(' '),
    RIG_MODULES: [...commonModules, ...guestModules(spec.disks), ...(spec.modules ?? [])].join(' '),
  };
  const files: ArchiveFile[] = [
    { path: 'init', mode: 0o755, content: await readFile(join(guestDirectory, 'init')) },
    {
      path: 'bin/busybox',
      mode: 0o755,
      content: await readFile(requireFile(spec.name, '/bin/busybox', '/usr/bin/busybox')),
    },
    { path: 'rig/runner', mode: 0o755, content: await runnerProgram() },
    { path: 'rig/machine', mode: 0o644, content: Buffer.from(assignments(facts)) },
  ];
  for (const file of early) {
    files.push({ path: `rig/modules/${plainName(file)}`, mode: 0o644, content: await readModule(file) });
  }
  return cpio(files);
}

function plainName(file: string): string {
  return basename(file).replace(/\.xz$/, '');
}

/** Newer Debian kernels ship their modules compressed; busybox inserts plain ones only. */
async function readModule(file: string): Promise<Buffer> {
  if (!file.endsWith('.xz')) return readFile(file);
  const options = { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 } as const;
  return (await promisify(execFile)('xz', ['--decompress', '--stdout', file], options)).stdout;
}

function assignments(facts: Record<string, string>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${quote(value)}\n`)
    .join('');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
