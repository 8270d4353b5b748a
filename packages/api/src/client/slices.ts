import type { Method } from '../../gen/nodecore-v1.js';
import { ApiError } from '../errors.ts';
import { statusCodes } from '../status.ts';
import { type CallOptions, type Channel, headersOf } from './call.ts';
import { apiError } from './failure.ts';
import { MessageFault } from './message-slicer.ts';
import { RawCall } from './raw-call.ts';
import { SliceQueue, type Slices } from './slice-queue.ts';
import { failure } from './stream-status.ts';

/**
 * A call with a stream of answers that are nearly all bytes of one field, over a connection of its own. The bytes are handed out
 * as they come: no message is put together. Read no faster than the caller takes them; leaving the loop cancels the call.
 * Throws an `ApiError`, or `signal.reason`.
 *
 * @param field the field's number; of type `bytes`.
 * @see docs/decisions/snapshot-stream.md
 */
export async function* slices<RequestInit, Response>(
  channel: Channel,
  method: Method<unknown, RequestInit, Response, never, true>,
  field: number,
  request: RequestInit,
  options: CallOptions,
): AsyncGenerator<Slices<Response>, void, void> {
  const { timeoutMs, node } = options;
  const { endpoint, closed } = channel;
  const signal = options.signal === undefined ? closed : AbortSignal.any([options.signal, closed]);
  signal.throwIfAborted();
  const queue = new SliceQueue(field, method.responseDeserialize);
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => queue.end(stop.signal.reason));
  const abort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', abort);
  const late = failure(statusCodes.deadlineExceeded, `Deadline exceeded after ${timeoutMs} ms`);
  const expire = (): void => stop.abort(apiError(late, channel, options));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  try {
    await using owned = new AsyncDisposableStack();
    const socket = await channel.connector.dial(stop.signal);
    owned.defer(() => void socket.destroy()); // a name of a node that no header can have ends it here
    const headers = { ':path': method.path, ...headersOf(channel, options) };
    const body = framed(method.requestSerialize(request));
    const call = owned.use(new RawCall(socket, { endpoint, headers, body, receiver: queue }));
    for await (const batch of queue.batches()) {
      call.resume();
      yield batch;
    }
    const failed = await call.failure();
    if (failed !== undefined) throw apiError(failed, channel, options);
    if (!queue.isWhole) throw new MessageFault('the last one has no end');
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    const words = `${node ?? endpoint}: what it sends is no message: ${error.message}`;
    throw new ApiError('ERR_API_PROTOCOL', words, { endpoint, node, cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** As gRPC has it: not compressed, so many bytes. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
