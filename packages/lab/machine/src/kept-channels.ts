import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import type { Channel } from './boot-files.ts';

type Channels = { readonly control: Channel; readonly ports: ReadonlyMap<string, Channel> };

/** QEMU listens a moment after it was started. */
const pollMs = 10;

/** Removes the sockets of a boot before. */
export async function removeSockets(directory: string, { control, ports }: Channels): Promise<void> {
  for (const channel of [control, ...ports.values()])
    if ('socket' in channel) await rm(join(directory, channel.socket), { force: true });
}

/** Connects to a socket of QEMU's as soon as it listens. @param gone rejects when nobody will. */
export async function connectTo(directory: string, socket: string, gone: Promise<never>): Promise<Duplex> {
  // Paths of sockets end at 107 bytes, those of directories don't.
  const parent = await open(directory, 'r');
  try {
    for (;;) {
      const port = connect(`/proc/self/fd/${parent.fd}/${socket}`);
      port.on('error', () => {}); // QEMU may be gone before its port has an owner, who sees that from its process
      try {
        await Promise.race([once(port, 'connect'), gone]);
        return port;
      } catch (error) {
        port.destroy();
        if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ECONNREFUSED') throw error;
      }
      await Promise.race([systemClock.sleep(pollMs), gone]);
    }
  } finally {
    await parent.close();
  }
}
