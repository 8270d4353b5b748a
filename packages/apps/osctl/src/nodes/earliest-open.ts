import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import type { Endpoint } from '@nodecore/api';

/** How long an earlier endpoint is waited for before the next is tried beside it. */
const patienceMs = 250;
/** What does not take a connection by then is taken to be gone. */
const limitMs = 3_000;

/** Which endpoint takes a connection first, where each gives those before it a head start; 0 when none does. No byte is sent. */
export async function earliestOpen(endpoints: readonly Endpoint[]): Promise<number> {
  const found = new AbortController();
  const signal = AbortSignal.any([found.signal, AbortSignal.timeout(limitMs)]);
  const attempt = async ({ host, port }: Endpoint, index: number): Promise<number> => {
    await setTimeout(index * patienceMs, undefined, { signal });
    const socket = connect({ host, port });
    socket.on('error', () => {}); // told to who waits
    try {
      await once(socket, 'connect', { signal });
      return index;
    } finally {
      socket.destroy();
    }
  };
  try {
    return await Promise.any(endpoints.map(attempt));
  } catch {
    return 0; // its error says more than ours would
  } finally {
    found.abort();
  }
}
