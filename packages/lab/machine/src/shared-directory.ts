import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { ended, readyFile } from '@nodecore/sys';

import { MachineError } from './errors.ts';
import type { Starter } from './lifetime.ts';
import { requireFile } from './required-file.ts';
import { removeShare } from './share-files.ts';
import type { ShareSpec } from './spec.ts';

/** Where Debian 12 and later releases have virtiofsd. */
const programs = ['/usr/lib/qemu/virtiofsd', '/usr/libexec/virtiofsd'] as const;

/** A directory that waits for its machine. */
export type RunningShare = {
  readonly tag: string;
  /** Name of the socket in the machine's state directory. */
  readonly socket: string;
  /** Ends it. It has nothing of its own to write: what a guest was answered is in the host's page cache. */
  stop(): Promise<void>;
};

/**
 * Starts virtiofsd for a directory. It serves one boot.
 *
 * The socket has a name of its own every time: Debian 12's virtiofsd locks a file below /run that is named after the
 * socket, as it was given, and a second machine would find it taken. It is relative, because socket paths end at 107 bytes.
 */
export async function startShare(
  machine: string,
  { tag, directory: source }: ShareSpec,
  directory: string,
  start: Starter,
): Promise<RunningShare> {
  const program = requireFile(machine, ...programs);
  const socket = `share-${randomUUID().slice(0, 8)}.sock`;
  const log = await open(join(directory, `virtiofsd-${tag}.log`), 'w');
  // It is root and what it serves is a test's: a change of its root is jail enough, and works in containers.
  const args = [`--socket-path=${socket}`, '-o', `source=${source}`, '-o', 'sandbox=chroot'];
  const child = await start([program, ...args], ['ignore', log.fd, log.fd]);
  try {
    const ended = (): Error =>
      new MachineError('ERR_MACHINE_START', machine, `the share ${tag} ended at once`);
    await readyFile(child, join(directory, socket), ended);
    return { tag, socket, stop: () => stop(child, directory, socket) };
  } finally {
    await log.close();
  }
}

async function stop(child: ChildProcess, directory: string, socket: string): Promise<void> {
  child.kill('SIGKILL');
  await ended(child);
  await removeShare(directory, socket);
}
