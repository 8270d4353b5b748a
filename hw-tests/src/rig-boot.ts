import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Accelerator, chooseAccelerator, type PowerOnOptions, tickRateKhz } from '@nodecore/machine';

import { initrd } from './initrd.ts';
import { findKernel } from './kernel.ts';
import { rigCache } from './paths.ts';
import type { RigSpec } from './rig-spec.ts';

/** The host's filesystem, read-only, which the machine has as its root. */
const hostRoot = [
  '-fsdev',
  'local,id=host,path=/,security_model=none,readonly=on,multidevs=remap',
  '-device',
  'virtio-9p-pci,fsdev=host,mount_tag=rig-host',
];

const initrdFile = 'initrd';

/** How a machine of the rig is switched on: Debian's kernel, and a first filesystem that is made for it. */
export async function rigBoot(
  spec: RigSpec,
  directory: string,
  accelerator: Accelerator,
): Promise<PowerOnOptions> {
  const kernel = findKernel(spec.name, spec.kernel);
  await writeFile(join(directory, initrdFile), await initrd(spec, kernel));
  const tickRate = accelerator === 'tcg' ? await tickRateKhz(rigCache) : undefined;
  return {
    accelerator,
    boot: { kind: 'kernel', kernel: kernel.image, initrd: initrdFile, arguments: kernelArguments(tickRate) },
    firmware: spec.firmware,
    arguments: hostRoot,
  };
}

/**
 * panic=-1 with -no-reboot: a kernel that panics ends QEMU, so nobody waits for it. mitigations=off: guarding against
 * other guests costs an emulated CPU much and protects nothing here. tsc=reliable: with several emulated processors the
 * kernel would tell the time by the ACPI timer, a trap per call, and Node asks for the time all day.
 */
const kernelOptions =
  'console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off nokaslr random.trust_cpu=on no_timer_check tsc=reliable';

/** Ciphers are not tested when their modules are loaded, and memory is not zeroed that its user is about to write. */
const cheaper: readonly string[] = ['cryptomgr.notests', 'init_on_alloc=0'];

/**
 * What costs an emulated processor much, and is not what tests are about.
 *
 * `-pti` takes out what images of ours give their kernel: with page tables of its own it changes them twice at each call, and a processor of
 * QEMU's, which has no PCID, loses all translations of addresses each time. Two nodes side by side took 23.7 s of this computer's processor with them until
 * maintenance, and 21.8 s without.
 */
export const withoutCosts: readonly string[] = ['-pti', ...cheaper];

/**
 * tsc_early_khz: else the kernel measures the rate of the counter against the PIT, and believes the lowest of several results
 * (arch/x86/kernel/tsc.c). On a busy host QEMU waits for a processor now and then; just after the PIT was started, that makes the
 * result a fraction of the truth, and the machine's clock so many times too fast for as long as it is on.
 *
 * @param tickRate in kHz, of an emulated processor
 */
export function kernelArguments(tickRate: number | undefined): string {
  const words = [kernelOptions, ...cheaper];
  return [...words, ...(tickRate === undefined ? [] : [`tsc_early_khz=${tickRate}`])].join(' ');
}

/** KVM when a machine with this kernel comes up with it; `NODECORE_RIG_ACCELERATOR` decides without a trial. */
export async function rigAccelerator(
  { name, kernel }: Pick<RigSpec, 'name' | 'kernel'>,
  boots: () => Promise<boolean>,
): Promise<Accelerator> {
  const forced = process.env['NODECORE_RIG_ACCELERATOR'];
  if (forced === 'kvm' || forced === 'tcg') return forced;
  return await chooseAccelerator({ guest: findKernel(name, kernel).version, cache: rigCache, boots });
}
