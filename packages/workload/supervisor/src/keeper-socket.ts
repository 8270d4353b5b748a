import { once } from 'node:events';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

import { codeOf } from '@nodecore/sys';

/** Undefined when no keeper listens. The path of a socket is short, the directory's may be long: it is reached by a descriptor. */
export async function dial(directory: string): Promise<Socket | undefined> {
  try {
    await using place = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
    const socket = connect(`/proc/self/fd/${place.fd}/socket`);
    try {
      await once(socket, 'connect');
    } catch (error) {
      socket.destroy();
      throw error;
    }
    socket.on('error', () => {}); // whoever reads sees the end
    return socket;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET') return undefined;
    throw error;
  }
}

/** What a keeper says first, without the end of the line; the rest stays to be read. Empty when it ends instead. */
export async function greeting(socket: Socket): Promise<string> {
  let said = Buffer.alloc(0);
  while (!said.includes(0x0a)) {
    const bytes = socket.read() as Buffer | null;
    if (bytes !== null) said = Buffer.concat([said, bytes]);
    else if (socket.readableEnded || socket.destroyed) return '';
    // One that ends before it has taken the connection resets it.
    else await Promise.race([once(socket, 'readable'), once(socket, 'close')]).catch(() => socket.destroy());
  }
  const end = said.indexOf(0x0a);
  if (end + 1 < said.length) socket.unshift(said.subarray(end + 1));
  return said.toString('latin1', 0, end);
}
