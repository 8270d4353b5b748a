import type { OnReadOpts, Socket } from 'node:net';

import { onAbort } from '@nodecore/waiting';

import type { LentCall } from './lent-call.ts';
import { CallReader } from './reader.ts';

export type MessagesOptions = {
  /** How long a connection may take, in milliseconds; 20 s unless given. */
  readonly dialMs?: number;
  /** After so long a silence the node is asked whether it is there; 20 s unless given. */
  readonly silenceMs?: number;
  /** How long it has to answer that; 10 s unless given. */
  readonly patienceMs?: number;
};

/** As much as one read of the connection takes. */
const readBytes = 128 << 10;

/**
 * The messages that answer a call, as they come; each is borrowed until the next one is asked for. Over a connection of its
 * own, which is read whether or not messages are taken: the window keeps the node from sending more. Leaving the loop ends the
 * call.
 *
 * @throws what the call failed with, after the messages that came before.
 */
export async function* messagesOf(
  call: LentCall,
  { dialMs = 20_000, silenceMs = 20_000, patienceMs = 10_000 }: MessagesOptions = {},
): AsyncGenerator<Uint8Array, void, void> {
  call.signal.throwIfAborted();
  const reader = new CallReader(call.request, { silenceMs, patienceMs });
  // One buffer for all reads: nothing is allocated for them.
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  const onread = { buffer, callback: (bytes: number) => reader.take(buffer, bytes) };
  const socket = await dialInTime(call, onread, dialMs);
  using _listener = onAbort(call.signal, () => void socket.destroy());
  try {
    for await (const message of reader.messages(socket)) {
      call.signal.throwIfAborted();
      yield message;
    }
    call.signal.throwIfAborted();
    const failure = call.failureOf(reader.answer());
    if (failure !== undefined) throw failure;
  } finally {
    socket.destroy();
  }
}

async function dialInTime(call: LentCall, onread: OnReadOpts, dialMs: number): Promise<Socket> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(call.silent()), dialMs);
  try {
    return await call.dial(onread, AbortSignal.any([call.signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
