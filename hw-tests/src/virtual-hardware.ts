import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Duplex } from 'node:stream';

import {
  type Accelerator,
  controlDescriptor,
  ControlSession,
  DiskBay,
  type DiskSpec,
  firmware,
  qemuArguments,
  requireFile,
  runnerDescriptor,
  type RunningShare,
  startShare,
  startTpm,
  tickRateKhz,
  tpmSocket,
} from '@nodecore/machine';
import { ended, tethered } from '@nodecore/sys';

import { RigError } from './errors.ts';
import { GuestSession } from './guest-session.ts';
import { initrd } from './initrd.ts';
import { findKernel } from './kernel.ts';
import { rigCache } from './paths.ts';
import type { RigSpec } from './rig-spec.ts';

/** The running part of a machine: QEMU, its swtpm, and the session with the runner inside. */
export type PoweredMachine = {
  readonly session: GuestSession;
  /** Changes its disks. */
  readonly bay: DiskBay;
  /** Resolves when QEMU and the programs that serve it are gone. */
  readonly stopped: Promise<void>;
  /** Ends QEMU at once, as a crash of the host's process would. */
  kill(): void;
};

const consoleFile = 'console.log';

/**
 * Switches a machine on. Disks that do not exist yet are made, sparse and blank; what is in `directory` stays.
 * Resolves as soon as QEMU runs; `session.ready` says when the machine is up.
 */
export async function powerOn(
  spec: RigSpec,
  directory: string,
  accelerator: Accelerator,
): Promise<PoweredMachine> {
  const kernel = findKernel(spec.name, spec.kernel);
  await writeFile(join(directory, 'initrd'), await initrd(spec, kernel));
  for (const disk of spec.disks) await ensureDisk(diskFile(disk, directory), disk.sizeBytes);
  const uefi = await firmware(spec, directory);
  const tpm = spec.tpm === 'none' ? undefined : await startTpm(spec.name, directory);
  const tickRate = accelerator === 'tcg' ? await tickRateKhz(rigCache) : undefined;
  const shares = await startShares(spec, directory);
  const args = qemuArguments(
    spec,
    {
      kernel: kernel.image,
      initrd: 'initrd',
      console: consoleFile,
      disk: (disk) => diskFile(disk, directory),
      ...(uefi && { firmware: uefi }),
      ...(tpm && { tpm: tpmSocket }),
      ...(shares.length > 0 && { shares: new Map(shares.map(({ tag, socket }) => [tag, socket])) }),
    },
    { accelerator, ...(tickRate !== undefined && { tickRateKhz: tickRate }) },
  );
  const log = await open(join(directory, 'qemu.log'), 'w');
  try {
    const program = requireFile(spec.name, '/usr/bin/qemu-system-x86_64');
    const stdio = ['ignore', log.fd, log.fd, 'pipe', 'pipe'] as const; // `runnerDescriptor`, `controlDescriptor`
    const qemu = tethered([program, ...args], { cwd: directory, stdio: [...stdio] });
    return running(spec, qemu, { tpm, shares });
  } finally {
    await log.close();
  }
}

async function startShares(spec: RigSpec, directory: string): Promise<readonly RunningShare[]> {
  const shares: RunningShare[] = [];
  try {
    for (const share of spec.shares ?? []) shares.push(await startShare(spec.name, share, directory));
    return shares;
  } catch (error) {
    await Promise.all(shares.map((share) => share.stop()));
    throw error;
  }
}

/** The programs that serve a QEMU. */
type Servers = { readonly tpm: ChildProcess | undefined; readonly shares: readonly RunningShare[] };

function running(spec: RigSpec, qemu: ChildProcess, { tpm, shares }: Servers): PoweredMachine {
  const port = qemu.stdio[runnerDescriptor];
  const controlPort = qemu.stdio.at(controlDescriptor);
  if (!(port instanceof Duplex) || !(controlPort instanceof Duplex))
    throw new RigError('ERR_RIG_BOOT', spec.name, "QEMU can't be started");
  const session = new GuestSession(port);
  const control = new ControlSession(spec.name, controlPort);
  const closed = once(qemu, 'close');
  const stopped = (async () => {
    // Not 'exit': what the machine said last may still be on its way, and must not look like a machine that was lost.
    await closed;
    const off = new RigError('ERR_RIG_STOPPED', spec.name, 'the machine is off');
    session.lose(off);
    control.lose(off);
    await Promise.all(shares.map((share) => share.stop()));
    if (tpm !== undefined) await ended(tpm); // --terminate: it has written its state and follows
  })();
  return {
    session,
    bay: new DiskBay(spec.name, control, spec.slots ?? 0),
    stopped,
    kill: () => {
      qemu.kill('SIGKILL');
    },
  };
}

/** What the firmware, the kernel and QEMU had to say, shortened to its end. */
export async function consoleTail(directory: string): Promise<string> {
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'latin1').catch(() => '');
  const text = (await read(consoleFile)) + (await read('qemu.log'));
  return text.trimEnd().split('\n').slice(-30).join('\n');
}

/** The raw file behind a disk of a machine in `directory`. */
export function diskFile(disk: DiskSpec, directory: string): string {
  if (disk.file === undefined) return join(directory, `${disk.serial}.disk`);
  return isAbsolute(disk.file) ? disk.file : join(directory, disk.file);
}

/** Makes the file of a disk, sparse and blank; one that is there stays as it is. */
export async function ensureDisk(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'a');
  try {
    const { size } = await file.stat();
    if (size === 0) await file.truncate(sizeBytes);
  } finally {
    await file.close();
  }
}
