import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { guestModules, requireFile } from '@nodecore/machine';
import { compileCache } from '@nodecore/testkit/compile-cache';

import { type ArchiveFile, cpio } from './cpio.ts';
import { type Kernel, moduleFiles } from './kernel.ts';
import { checkout, guestDirectory } from './paths.ts';
import { runnerProgram } from './runner-program.ts';
import type { RigSpec } from './rig-spec.ts';

/**
 * There is no udevd that would load drivers by alias. All stand in the first filesystem, from where they load faster
 * than over 9p; filesystems and ciphers are asked for by the kernel itself, when the modules' directory is there.
 */
const commonModules = [
  'virtio_pci',
  'virtio_console',
  '9pnet_virtio',
  '9p',
  'overlay',
  'virtio_net',
  'virtio_rng',
  'dm_mod',
  'loop',
];

/** The first filesystem of a machine: busybox, drivers, the runner, and facts about the machine. */
export async function initrd(spec: RigSpec, kernel: Kernel): Promise<Buffer> {
  const names = [...commonModules, ...guestModules(spec.disks), ...(spec.modules ?? [])];
  if (spec.firmware !== 'bios') names.push('efivarfs');
  const modules = moduleFiles(spec.name, kernel, names);
  const facts = {
    RIG_HOSTNAME: spec.name,
    RIG_CHECKOUT: checkout,
    RIG_COMPILE_CACHE: compileCache,
    RIG_KERNEL: kernel.version,
    RIG_MODULES_DIRECTORY: kernel.modulesDirectory,
    RIG_MODULES: modules.map(plainName).join(' '),
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
  for (const file of modules) {
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
