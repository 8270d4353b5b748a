import { createHash } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { cpus, release } from 'node:os';
import { join } from 'node:path';

import type { Accelerator, DebianRelease } from '@nodecore/machine';
import { writeFileAtomic } from '@nodecore/sys';

import { findKernel } from './kernel.ts';
import { cacheDirectory } from './paths.ts';
import { temporaryState } from './state-directory.ts';
import { powerOn } from './virtual-hardware.ts';
import type { RigSpec } from './rig-spec.ts';

/** Hardware that works brings the trial machine up in about a second. */
const trialMs = 8_000;

const trialMachine: RigSpec = {
  name: 'kvm-trial',
  uuid: '00000000-0000-4000-8000-000000000001',
  firmware: 'bios',
  tpm: 'none',
  memoryMib: 512,
  cpus: 1,
  disks: [],
  forwards: [],
};

/**
 * KVM when it proved itself with this kernel on this machine, else software emulation.
 * /dev/kvm may exist, answer its version, even create a machine, and then hang the guest; only a boot tells. The
 * verdict is kept below .cache/rig.
 */
export async function accelerator(
  kernel: DebianRelease | undefined,
  signal?: AbortSignal,
): Promise<Accelerator> {
  const forced = process.env['NODECORE_RIG_ACCELERATOR'];
  if (forced === 'kvm' || forced === 'tcg') return forced;
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
  } catch {
    return 'tcg';
  }
  const { version } = findKernel(trialMachine.name, kernel);
  const file = join(cacheDirectory, 'rig', `accelerator-${await machineKey(version)}`);
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known === 'kvm' || known === 'tcg') return known;
  const verdict: Accelerator = (await kvmBoots(kernel, signal)) ? 'kvm' : 'tcg';
  await mkdir(join(cacheDirectory, 'rig'), { recursive: true });
  await writeFileAtomic(file, verdict, { mode: 0o644 });
  return verdict;
}

/** The same checkout may be used from several machines, and a machine may get another processor or kernel. */
async function machineKey(guestKernel: string): Promise<string> {
  const id = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const facts = [id.trim(), cpus()[0]?.model ?? '', release(), String(process.getuid?.()), guestKernel];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
}

async function kvmBoots(kernel: DebianRelease | undefined, signal?: AbortSignal): Promise<boolean> {
  const directory = await temporaryState(trialMachine.name);
  try {
    const spec = kernel === undefined ? trialMachine : { ...trialMachine, kernel };
    const machine = await powerOn(spec, directory, 'kvm');
    const limit = AbortSignal.any([AbortSignal.timeout(trialMs), ...(signal ? [signal] : [])]);
    const kill = (): void => machine.kill();
    limit.addEventListener('abort', kill);
    try {
      await machine.session.ready;
      return true;
    } catch {
      signal?.throwIfAborted();
      return false; // it hung and was killed, or QEMU gave up by itself
    } finally {
      limit.removeEventListener('abort', kill);
      machine.kill();
      await machine.stopped;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
