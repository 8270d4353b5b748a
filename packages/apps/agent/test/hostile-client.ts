import { readFile } from 'node:fs/promises';
import * as http2 from 'node:http2';
import { connect as tcpConnect, type Socket } from 'node:net';
import { connect as tlsConnect, type TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';

import * as pki from '@nodecore/pki';

import type { CrowdOrder, Target } from './crowd-order.ts';

/** PEM. */
export type Identity = { readonly crt: string; readonly key: string };

/** The beginning of a TLS record with a ClientHello of 512 bytes, none of which follow. */
const halfHello = Buffer.from('16030102000100', 'hex');

/** Connections that are opened again when the node ends them, in a thread of their own. */
export class Crowd {
  readonly #worker: Worker;
  readonly #opened: Int32Array;

  constructor(order: Omit<CrowdOrder, 'opened'>) {
    this.#opened = new Int32Array(new SharedArrayBuffer(4 * order.kinds.length));
    const workerData: CrowdOrder = { ...order, opened: this.#opened };
    this.#worker = new Worker(new URL('hostile-crowd.ts', import.meta.url), { workerData });
  }

  /** How often each kind has connected. */
  get opened(): Int32Array {
    return this.#opened;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Says nothing. */
export function idle(target: Target): Socket {
  return tcpConnect(target);
}

/** Begins a handshake, and leaves it. */
export function stalled(target: Target): Socket {
  const socket = tcpConnect(target);
  socket.write(halfHello);
  return socket;
}

/** A certificate of the node's authority, with these roles. */
export async function identity(
  ca: Parameters<typeof pki.issueClient>[0],
  roles: readonly string[],
  validity: { readonly nowMs?: number; readonly lifetimeMs?: number } = {},
): Promise<Identity> {
  const { crt, key } = await pki.issueClient(ca, { roles, ...validity });
  return { crt, key: Buffer.from(key.bytes).toString() };
}

export function secured(target: Target, { crt, key }: Partial<Identity>): TLSSocket {
  const shown = crt === undefined || key === undefined ? {} : { cert: crt, key };
  return tlsConnect({ ...target, ...shown, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
}

/** HTTP/2 without the manners of gRPC. */
export function session(
  { host, port }: Target,
  { crt, key }: Partial<Identity> = {},
  options: http2.SecureClientSessionOptions = {},
): http2.ClientHttp2Session {
  const shown = crt === undefined || key === undefined ? {} : { cert: crt, key };
  const made = http2.connect(`https://${host}:${port}`, { ...shown, rejectUnauthorized: false, ...options });
  made.on('error', () => {});
  return made;
}

/** The beginning of a call; its request is the caller's to send, or not. */
export function call(
  from: http2.ClientHttp2Session,
  path: string,
  headers: http2.OutgoingHttpHeaders = {},
): http2.ClientHttp2Stream {
  const stream = from.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.on('error', () => {});
  return stream;
}

/** A message as gRPC sends it. */
export function framed(message: Uint8Array, compressed = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(compressed, 0);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** gRPC's status of a call, from its trailers or its only headers; undefined when the stream was reset. */
export async function statusOfCall(stream: http2.ClientHttp2Stream): Promise<number | undefined> {
  let status: number | undefined;
  const take = (headers: http2.IncomingHttpHeaders): void => {
    const value = headers['grpc-status'];
    if (value !== undefined) status = Number(value);
  };
  stream.on('response', take);
  stream.on('trailers', take);
  stream.resume();
  // A stream that we have not ended stays open when the node has said all.
  if (!stream.closed && !stream.destroyed) {
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.once('end', resolve).once('close', resolve);
    await promise;
  }
  return status;
}

/** What a process has in memory. */
export async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
}

/**
 * How late timers of an agent were since it was last asked: each call waits as long. 99 of 100 were no later,
 * in milliseconds.
 *
 * @param port of its metrics.
 */
export async function loopDelayMs(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodeos_event_loop_delay_seconds\{percentile="99"\} (\S+)$/m.exec(text)?.[1]) * 1000;
}

/** How many files a process may have open. */
export async function mostFiles(): Promise<number> {
  return Number(/^Max open files\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8'))?.[1]);
}

/** What a process has had of the processors, in hundredths of a second. */
export async function processorTicks(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13); // proc_pid_stat(5)
  return Number(user) + Number(system);
}

/** Resolves when the session is over, whatever ended it. */
export function closed(from: http2.ClientHttp2Session): Promise<void> {
  if (from.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  from.once('close', resolve);
  return promise;
}
