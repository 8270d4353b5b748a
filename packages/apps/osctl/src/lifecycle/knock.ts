import { once } from 'node:events';
import { connect } from 'node:net';

import type { Endpoint } from '@nodecore/api';
import { codeOf } from '@nodecore/sys/pure';

/** What an address says to a connection: somebody takes it; a kernel says that nobody does; nothing. */
export type Answer = 'open' | 'refused' | 'nothing';

const patienceMs = 3000;

/** Asks an address whether anything of the machine behind it is alive. No byte is sent. */
export async function knock({ host, port }: Endpoint, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  const socket = connect({ host, port });
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) });
    return 'open';
  } catch (error) {
    signal.throwIfAborted();
    return codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ECONNRESET' ? 'refused' : 'nothing';
  } finally {
    socket.destroy();
  }
}
