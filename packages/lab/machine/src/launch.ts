import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Duplex } from 'node:stream';

import { ended } from '@nodecore/sys';

import type { Channel } from './boot-files.ts';
import { consoleFile, qemuLog } from './console.ts';
import { diskFile, ensureDisk } from './disk-file.ts';
import { MachineError } from './errors.ts';
import { firmware } from './firmware.ts';
import { connectTo, removeSockets } from './kept-channels.ts';
import type { Lifetime, Starter, StdioEntry } from './lifetime.ts';
import { type Accelerator, qemuArguments } from './qemu-arguments.ts';
import { requireFile } from './required-file.ts';
import { type RunningShare, startShare } from './shared-directory.ts';
import { startTpm, tpmSocket } from './software-tpm.ts';
import type { MachineSpec } from './spec.ts';

/** The running part of a machine: QEMU, and what it exchanges with this process. */
export type Launched = {
  readonly control: Duplex;
  /** The host's ends of the machine's serial ports, by name. */
  readonly ports: ReadonlyMap<string, Duplex>;
  /** Resolves when QEMU and the programs that serve it are gone. */
  readonly stopped: Promise<void>;
  /** Ends QEMU at once, as a crash of its process would. */
  kill(): void;
  /** Nobody waits for its end any more. */
  release(): void;
};

export type LaunchOptions = {
  readonly accelerator: Accelerator;
  readonly lifetime: Lifetime;
  readonly start: Starter;
  /** More of QEMU's arguments, behind the machine's own. */
  readonly arguments: readonly string[];
};

/** Behind standard input, output and error output. */
const firstDescriptor = 3;

/** Starts QEMU. Disks that do not exist yet are made, sparse and blank; what is in `directory` stays. */
export async function launch(
  spec: MachineSpec,
  directory: string,
  options: LaunchOptions,
): Promise<Launched> {
  const { accelerator, lifetime, start } = options;
  const program = requireFile(spec.name, '/usr/bin/qemu-system-x86_64');
  for (const disk of spec.disks) await ensureDisk(diskFile(disk, directory), disk.sizeBytes);
  const uefi = await firmware(spec, directory);
  const tpm = spec.tpm === 'none' ? undefined : await startTpm(spec, directory, start);
  const shares = await startShares(spec, directory, start);
  const plan = lifetime === 'kept' ? keptChannels(spec) : tetheredChannels(spec);
  if (lifetime === 'kept') await removeSockets(directory, plan);
  const files = {
    console: consoleFile,
    disk: (disk: MachineSpec['disks'][number]) => diskFile(disk, directory),
    control: plan.control,
    ports: plan.ports,
    tap: (index: number) => plan.taps.get(index)?.child ?? -1,
    ...(uefi && { firmware: uefi }),
    ...(tpm && { tpm: tpmSocket }),
    ...(shares.length > 0 && { shares: new Map(shares.map(({ tag, socket }) => [tag, socket])) }),
  };
  const args = [...qemuArguments(spec, files, accelerator), ...options.arguments];
  const log = await open(join(directory, qemuLog), 'w');
  await writeFile(join(directory, consoleFile), ''); // QEMU appends to it
  try {
    const taps = [...plan.taps.values()].map(({ own }) => own);
    const qemu = await start([program, ...args], ['ignore', log.fd, log.fd, ...plan.pipes, ...taps], spec);
    const stopped = stoppedWith(qemu, { tpm, shares });
    const kill = (): void => void qemu.kill('SIGKILL');
    const channels = await openChannels(spec, directory, plan, qemu);
    return { ...channels, stopped, kill, release: () => qemu.unref() };
  } finally {
    await log.close();
  }
}

/** How the control port and the serial ports of a machine are reached, and its taps' descriptors here and in QEMU. */
export type ChannelPlan = {
  readonly control: Channel;
  readonly ports: ReadonlyMap<string, Channel>;
  readonly taps: ReadonlyMap<number, { readonly own: number; readonly child: number }>;
  readonly pipes: readonly StdioEntry[];
};

function tetheredChannels(spec: MachineSpec): ChannelPlan {
  const names = spec.ports ?? [];
  const ports = new Map(names.map((name, index) => [name, { descriptor: firstDescriptor + 1 + index }]));
  const pipes = Array.from({ length: names.length + 1 }, () => 'pipe' as const);
  const control = { descriptor: firstDescriptor };
  return { control, ports, pipes, taps: tapsOf(spec, firstDescriptor + pipes.length) };
}

/** A kept machine is reached by its next keeper, over sockets in its directory. */
export function keptChannels(spec: MachineSpec): ChannelPlan {
  const ports = new Map((spec.ports ?? []).map((name, index) => [name, { socket: `port${index}.sock` }]));
  return { control: { socket: 'control.sock' }, ports, pipes: [], taps: tapsOf(spec, firstDescriptor) };
}

function tapsOf({ nics = [] }: MachineSpec, first: number): ChannelPlan['taps'] {
  const taps = new Map<number, { readonly own: number; readonly child: number }>();
  for (const [index, { backend }] of nics.entries())
    if (backend.kind === 'tap' && 'descriptor' in backend)
      taps.set(index, { own: backend.descriptor, child: first + taps.size });
  return taps;
}

async function openChannels(
  { name }: MachineSpec,
  directory: string,
  plan: ChannelPlan,
  qemu: ChildProcess,
): Promise<Pick<Launched, 'control' | 'ports'>> {
  const { promise: gone, reject } = Promise.withResolvers<never>();
  gone.catch(() => {});
  const failed = (cause?: Error): void =>
    reject(new MachineError('ERR_MACHINE_START', name, "QEMU can't be started", { cause }));
  if (qemu.pid === undefined) qemu.once('error', failed);
  qemu.once('exit', () => failed());
  const openOne = async (channel: Channel): Promise<Duplex> => {
    if ('socket' in channel) return await connectTo(directory, channel.socket, gone);
    const port = qemu.stdio.at(channel.descriptor);
    if (port instanceof Duplex) return port;
    throw new MachineError('ERR_MACHINE_START', name, "QEMU can't be started");
  };
  const control = await openOne(plan.control);
  const ports = new Map<string, Duplex>();
  for (const [port, channel] of plan.ports) ports.set(port, await openOne(channel));
  return { control, ports };
}

async function startShares(
  spec: MachineSpec,
  directory: string,
  start: Starter,
): Promise<readonly RunningShare[]> {
  const shares: RunningShare[] = [];
  try {
    for (const share of spec.shares ?? []) shares.push(await startShare(spec.name, share, directory, start));
    return shares;
  } catch (error) {
    await Promise.all(shares.map((share) => share.stop()));
    throw error;
  }
}

/** The programs that serve a QEMU. */
type Servers = { readonly tpm: ChildProcess | undefined; readonly shares: readonly RunningShare[] };

async function stoppedWith(qemu: ChildProcess, { tpm, shares }: Servers): Promise<void> {
  // Not 'exit': what the machine said last may still be on its way, and must not look like a machine that was lost.
  if (qemu.pid !== undefined) await once(qemu, 'close');
  await Promise.all(shares.map((share) => share.stop()));
  if (tpm !== undefined) await ended(tpm); // --terminate: it has written its state and follows
}
