import type {
  CallOptions as GrpcCallOptions,
  ClientWritableStream,
  Metadata,
  ServiceError,
} from '@grpc/grpc-js';
import { onAbort } from '@nodecore/waiting';
import type { Method } from '../../gen/nodecore-v1.js';
import type { ApiError } from '../errors.ts';
import { grpc } from '../grpc.ts';
import { passedOnPath } from '../passed-on-path.ts';
import { newRequestId, requestIdHeader, requestIdOf } from '../request-id.ts';
import { errorInfoOf } from '../status.ts';
import type { CallOptions, Channel } from './channel.ts';
import { apiError } from './failure.ts';

const defaultTimeoutMs = 30_000;

/** What a fleet calls the API of nodes. */
const nodeRuntime = 'nodeos';

/** A call with one answer. Rejects with an `ApiError`, or with `signal.reason`. */
export async function unary<RequestInit, Response>(
  channel: Channel,
  method: Method<unknown, RequestInit, Response, never, false>,
  request: RequestInit,
  options: CallOptions,
): Promise<Response> {
  const { signal, timeoutMs = defaultTimeoutMs } = options;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const metadata = await metadataOf(channel, method.path, options);
  const call = channel.client.makeUnaryRequest(
    pathFor(channel, method.path, options),
    method.requestSerialize,
    method.responseDeserialize,
    request,
    metadata,
    { deadline: Date.now() + timeoutMs },
    (error, response) => {
      if (error === null) resolve(response!);
      else reject(errorOf(error, metadata, channel, options));
    },
  );
  using _listener = onAbort(signal, () => call.cancel());
  try {
    return await promise;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** A call with a stream of answers. Leaving the loop cancels it. Throws an `ApiError`, or `signal.reason`. */
export async function* stream<RequestInit, Response>(
  channel: Channel,
  method: Method<unknown, RequestInit, Response, never, true>,
  request: RequestInit,
  options: CallOptions,
): AsyncGenerator<Response, void, void> {
  const { signal, timeoutMs } = options;
  signal?.throwIfAborted();
  const callOptions: GrpcCallOptions = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
  const metadata = await metadataOf(channel, method.path, options);
  const call = channel.client.makeServerStreamRequest(
    pathFor(channel, method.path, options),
    method.requestSerialize,
    method.responseDeserialize,
    request,
    metadata,
    callOptions,
  );
  using _listener = onAbort(signal, () => call.cancel());
  try {
    for await (const response of call) yield response as Response;
    signal?.throwIfAborted();
  } catch (error) {
    signal?.throwIfAborted();
    throw isServiceError(error) ? errorOf(error, metadata, channel, options) : error;
  } finally {
    call.on('error', () => {}); // the cancellation itself, when the loop was left early
    call.cancel();
  }
}

/**
 * A call with a stream of requests, read a mebibyte before they are sent at most, and one answer. Rejects with an `ApiError`, with
 * `signal.reason`, or with what the stream of requests threw; the call is cancelled then.
 */
export async function upload<RequestInit, Response>(
  channel: Channel,
  method: Method<unknown, RequestInit, Response, never, false, true>,
  requests: AsyncIterable<RequestInit>,
  options: CallOptions,
): Promise<Response> {
  const { signal, timeoutMs = defaultTimeoutMs } = options;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const metadata = await metadataOf(channel, method.path, options);
  const call = channel.client.makeClientStreamRequest(
    pathFor(channel, method.path, options),
    method.requestSerialize,
    method.responseDeserialize,
    metadata,
    { deadline: Date.now() + timeoutMs },
    (error, response) => {
      if (error === null) resolve(response!);
      else reject(errorOf(error, metadata, channel, options));
    },
  );
  using _listener = onAbort(signal, () => call.cancel());
  try {
    // Whatever ends first: a node that refuses does not wait for the rest.
    await Promise.race([sendAll(call, requests, promise), promise]);
    return await promise;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    promise.catch(() => {}); // the cancellation itself, when the requests failed
    call.cancel();
  }
}

async function sendAll<RequestInit>(
  call: ClientWritableStream<RequestInit>,
  requests: AsyncIterable<RequestInit>,
  answered: Promise<unknown>,
): Promise<void> {
  let isAnswered = false;
  const over = (): void => void (isAnswered = true);
  answered.then(over, over);
  for await (const request of requests) {
    if (isAnswered) return; // nobody reads on
    if (call.write(request)) continue;
    const { promise, resolve } = Promise.withResolvers<void>();
    call.once('drain', resolve);
    await Promise.race([promise, answered]);
  }
  call.end();
}

async function metadataOf(channel: Channel, path: string, options: CallOptions): Promise<Metadata> {
  const own = headersOf(channel, options);
  const headers = {
    ...own,
    ...(await channel.sign?.(path, own)),
    ...requestIdHeader(newRequestId()),
  };
  options.signal?.throwIfAborted();
  const metadata = new (grpc().Metadata)();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

/**
 * Where a call is sent. One for another node than the endpoint has a path of its own: an agent that does not know how to pass calls
 * on refuses it, and does not answer it for itself. A fleet, and a proxy in front of several clusters, read the metadata.
 */
export function pathFor({ cluster, sign }: Channel, path: string, { node }: CallOptions): string {
  return node === undefined || cluster !== undefined || sign !== undefined ? path : passedOnPath(path);
}

/** What a proxy has to know to pass the call on. */
export function headersOf(
  { cluster, sign }: Channel,
  { node }: CallOptions,
): Readonly<Record<string, string>> {
  return {
    // Only a fleet asks for signatures, and it has services of its own: a call that names a node is for that node.
    ...(sign !== undefined && (node !== undefined || cluster !== undefined) && { runtime: nodeRuntime }),
    ...(node !== undefined && { node }),
    ...(cluster !== undefined && { context: cluster }),
  };
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'details' in error && 'metadata' in error;
}

function errorOf(error: ServiceError, sent: Metadata, channel: Channel, options: CallOptions): ApiError {
  const { code, metadata } = error;
  const details = error.details.replace(/\s*Resolution note:\s*$/, ''); // grpc-js adds it even when it is empty
  const info = errorInfoOf(metadata);
  return apiError({ code, details, info, requestId: requestIdOf(sent), cause: error }, channel, options);
}
