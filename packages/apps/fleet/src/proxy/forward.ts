import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';

import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';

import { onAbort } from '@nodecore/waiting';

import { FleetError } from '../errors.ts';
import { frame, messages } from './frames.ts';

const maxMessageBytes = 32 << 20;

/** A call as it comes to the fleet, its messages as they are. */
export type ProxiedCall = ServerDuplexStream<Buffer, Buffer>;

/**
 * Passes a call on and its answers back, message by message, as fast as the slower end takes them. Nothing of the caller's metadata
 * goes along: what a node looks at is the certificate of the connection.
 *
 * @returns how the node has ended the call.
 */
export async function forward(
  session: ClientHttp2Session,
  path: string,
  call: ProxiedCall,
  signal: AbortSignal,
): Promise<{ readonly code: status; readonly details: string; readonly metadata: Metadata }> {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...timeoutOf(call),
  });
  stream.on('error', () => {}); // its reader hears of it
  const cancel = (): void => stream.close(constants.NGHTTP2_CANCEL);
  signal.throwIfAborted();
  using _cancel = onAbort(signal, cancel);
  const ended = endOf(stream);
  ended.catch(() => {}); // the messages may fail first
  void send(call, stream).catch(cancel);
  try {
    for await (const message of messages(stream, maxMessageBytes))
      if (!call.write(message)) await once(call, 'drain', { signal });
  } catch (error) {
    cancel();
    if (error instanceof FleetError) throw error;
    throw new FleetError('ERR_FLEET_STATE', 'the link to the machine was lost during the call', {
      cause: error,
    });
  }
  const { 'grpc-status': code, 'grpc-message': details, ...rest } = await ended;
  if (code === undefined)
    throw new FleetError('ERR_FLEET_STATE', 'the node has ended the call without a status');
  return {
    code: statusCode(Number(code)),
    details: decoded(String(details ?? '')),
    metadata: Metadata.fromHttp2Headers(withoutTransport(rest)),
  };
}

async function send(call: ProxiedCall, stream: ClientHttp2Stream): Promise<void> {
  for await (const message of call as AsyncIterable<Buffer>)
    if (!stream.write(frame(message))) await once(stream, 'drain');
  stream.end();
}

/** The headers with the status of the call: trailers, or the only headers when there is no answer. */
function endOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>();
  stream.on('response', (headers) => {
    if (headers['grpc-status'] !== undefined) resolve(headers);
  });
  stream.on('trailers', resolve);
  stream.on('close', () => reject(new FleetError('ERR_FLEET_STATE', 'the link to the machine was lost')));
  return promise;
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
