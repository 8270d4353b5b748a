import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';

import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';

import { onAbort } from '@nodecore/waiting';

import { ForwardError } from './errors.ts';
import { frame, messages } from './frames.ts';

const maxMessageBytes = 32 << 20;

/** A call as it comes to who passes it on, its messages as they are. */
export type ProxiedCall = ServerDuplexStream<Buffer, Buffer>;

/** How a node has ended a call. */
export type ForwardedEnd = { readonly code: status; readonly details: string; readonly metadata: Metadata };

export type ForwardOptions = {
  /** Ends the call at the other end. */
  readonly signal: AbortSignal;
  /** What the other end is told beside the messages. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its messages have keys: they are overwritten when the call is over. */
  readonly wipes?: boolean;
};

/**
 * Passes a call on and its answers back, message by message, as fast as the slower end takes them. What is left of its deadline goes
 * along, and nothing of the caller's metadata: what a node looks at is the certificate of the connection.
 *
 * @returns how the node has ended the call.
 * @throws {ForwardError} when it has not.
 */
export async function forward(
  session: ClientHttp2Session,
  path: string,
  call: ProxiedCall,
  { signal, headers = {}, wipes = false }: ForwardOptions,
): Promise<ForwardedEnd> {
  signal.throwIfAborted();
  const stream = session.request({
    ...headers,
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...timeoutOf(call),
  });
  stream.on('error', () => {}); // its reader hears of it
  const cancel = (): void => stream.close(constants.NGHTTP2_CANCEL);
  using _cancel = onAbort(signal, cancel);
  const ended = endOf(stream);
  ended.catch(() => {}); // the messages may fail first
  const passed: Uint8Array[] = [];
  const keep = (bytes: Uint8Array): void => {
    if (wipes) passed.push(bytes);
  };
  try {
    void send(call, stream, keep).catch(cancel);
    for await (const message of messages(stream, maxMessageBytes, keep))
      if (!call.write(message)) await once(call, 'drain', { signal });
    return endedWith(await ended);
  } catch (error) {
    cancel();
    throw error instanceof ForwardError ? error : lost(error);
  } finally {
    if (wipes) stream.once('close', () => passed.forEach((bytes) => void bytes.fill(0)));
  }
}

async function send(
  call: ProxiedCall,
  stream: ClientHttp2Stream,
  keep: (bytes: Uint8Array) => void,
): Promise<void> {
  for await (const message of call as AsyncIterable<Buffer>) {
    const framed = frame(message);
    keep(message);
    keep(framed);
    if (!stream.write(framed)) await once(stream, 'drain');
  }
  stream.end();
}

/** The headers with the status of the call: trailers, or the only headers when there is no answer. */
function endOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>();
  stream.on('response', (headers) => {
    if (headers['grpc-status'] !== undefined) resolve(headers);
  });
  stream.on('trailers', resolve);
  stream.on('close', () => reject(lost()));
  return promise;
}

function endedWith(headers: IncomingHttpHeaders): ForwardedEnd {
  const { 'grpc-status': code, 'grpc-message': details, ...rest } = headers;
  if (code === undefined)
    throw new ForwardError('ERR_FORWARD_LOST', 'the node has ended the call without a status');
  return {
    code: statusCode(Number(code)),
    details: decoded(String(details ?? '')),
    metadata: Metadata.fromHttp2Headers(withoutTransport(rest)),
  };
}

function lost(cause?: unknown): ForwardError {
  return new ForwardError('ERR_FORWARD_LOST', 'the connection to the node was lost during the call', {
    cause,
  });
}

/** What is left of the caller's deadline, in milliseconds; gRPC allows eight digits. */
function timeoutOf(call: ProxiedCall): { 'grpc-timeout'?: string } {
  const deadline = call.getDeadline();
  const leftMs = Number(deadline) - Date.now();
  if (!Number.isFinite(leftMs)) return {};
  return { 'grpc-timeout': `${Math.min(99_999_999, Math.max(1, Math.ceil(leftMs)))}m` };
}

function withoutTransport(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith(':') && name !== 'content-type');
  return Object.fromEntries(own);
}

function statusCode(code: number): status {
  return Object.values(status).find((each): each is status => Number(each) === code) ?? status.UNKNOWN;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
