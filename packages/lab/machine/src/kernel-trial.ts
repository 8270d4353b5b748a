import { rm } from 'node:fs/promises';

import { onAbort } from '@nodecore/waiting';

import { consoleSays } from './console.ts';
import { MachineError } from './errors.ts';
import { Machine } from './machine.ts';
import type { Accelerator } from './qemu-arguments.ts';

/** Hardware that works brings a kernel so far in a second. */
const usualLimitMs = 8000;

/** How a kernel is tried. */
export type KernelTrial = {
  /** Absolute path of a Linux kernel. */
  readonly kernel: string;
  /** For the machine; it is made, and removed. */
  readonly directory: string;
  /** Default KVM. */
  readonly accelerator?: Accelerator;
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
};

/**
 * Whether a kernel comes up, as far as one without a first filesystem does: it says that it finds no root. One that hangs is killed at the
 * limit.
 *
 * @throws the reason of `signal`.
 */
export async function kernelBoots(trial: KernelTrial): Promise<boolean> {
  const { kernel, directory, accelerator = 'kvm', limitMs = usualLimitMs, signal } = trial;
  const spec = {
    name: 'trial',
    uuid: '00000000-0000-4000-8000-000000000002',
    firmware: 'bios',
    tpm: 'none',
    memoryMib: 256,
    cpus: 1,
    disks: [],
    boot: { kind: 'kernel', kernel, arguments: 'console=ttyS0 panic=0 nokaslr no_timer_check' },
  } as const;
  signal?.throwIfAborted();
  try {
    await using machine = await Machine.open(spec, { directory });
    const limit = AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])]);
    const over = new AbortController();
    using _listener = onAbort(limit, () => over.abort());
    try {
      await machine.powerOn({ accelerator });
      void machine.stopped().then(() => over.abort());
      await consoleSays(machine.directory, 'Kernel panic - not syncing', over.signal);
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      if (over.signal.aborted || error instanceof MachineError) return false; // it hung, or QEMU gave up by itself
      throw error;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
