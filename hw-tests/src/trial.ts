import { rm } from 'node:fs/promises';

import { Machine } from '@nodecore/machine';
import { onAbort } from '@nodecore/waiting';

import { GuestSession } from './guest-session.ts';
import { rigBoot } from './rig-boot.ts';
import { type DebianRelease, machineOf, runnerPort, type RigSpec } from './rig-spec.ts';
import { temporaryState } from './state-directory.ts';

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

/** Whether a machine with this kernel comes up with KVM. Rejects with the reason of `signal`. */
export async function kvmBoots(kernel: DebianRelease | undefined, signal?: AbortSignal): Promise<boolean> {
  const directory = await temporaryState(trialMachine.name);
  const spec = kernel === undefined ? trialMachine : { ...trialMachine, kernel };
  try {
    await using machine = await Machine.open(machineOf(spec), { directory });
    const limit = AbortSignal.any([AbortSignal.timeout(trialMs), ...(signal ? [signal] : [])]);
    using _listener = onAbort(limit, () => void machine.kill());
    try {
      await machine.powerOn(await rigBoot(spec, directory, 'kvm'));
      const session = new GuestSession(machine.port(runnerPort));
      void machine.stopped().then(() => session.lose(new Error('the trial is over')));
      await session.ready;
      return true;
    } catch {
      signal?.throwIfAborted();
      return false; // it hung and was killed, or QEMU gave up by itself
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
