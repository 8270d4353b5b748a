import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';

import { type Metadata, status } from '@grpc/grpc-js';

/** A request that gRPC would refuse by itself, or may. */
export type EarlyFault = {
  /** What is wrong with its headers. */
  readonly reason: string | undefined;
  /** Its message could be unpacked. */
  isUnpacked: boolean;
  /** What was answered because it could not. */
  answer: status | undefined;
};

/** Which fault is whose: gRPC passes headers on, and no stream. A client's own is taken away. */
const tag = 'nodecore-early-fault';
/** The form that gRPC over HTTP/2 gives a timeout. */
const timeoutForm = /^(\d{1,8})([HMSmun])$/;
const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};
/** The longest that a timer of Node.js has, in whole seconds. */
const longestTimeout = '2147483S';

/**
 * Requests that gRPC refuses before anything of ours is asked, as an internal error though it is the client's: a timeout that is
 * none, and a message that can't be unpacked. It sees the headers first, and the answer last.
 */
export class EarlyFaults {
  readonly #faults = new Map<string, EarlyFault>();

  /** A new stream, whose headers gRPC has not read yet; they are changed. */
  look(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    delete headers[tag];
    const reason = mendTimeout(headers);
    const isPacked = (headers['grpc-encoding'] ?? 'identity') !== 'identity';
    if (reason === undefined && !isPacked) return;
    const fault: EarlyFault = { reason, isUnpacked: false, answer: undefined };
    const name = randomUUID();
    headers[tag] = name;
    this.#faults.set(name, fault);
    stream.once('close', () => this.#faults.delete(name));
    if (isPacked) amend(stream, fault);
  }

  /** The fault of a call by its metadata, which lose the mark of it. */
  take(metadata: Metadata): EarlyFault | undefined {
    const [name] = metadata.get(tag);
    metadata.remove(tag);
    return this.#faults.get(String(name));
  }
}

/** Takes away a timeout that is none. @returns what is wrong with it. */
function mendTimeout(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['grpc-timeout'];
  if (value === undefined) return undefined;
  const [, digits, unit = ''] = timeoutForm.exec(String(value)) ?? [];
  if (digits === undefined) {
    delete headers['grpc-timeout'];
    return 'grpc-timeout is not up to eight digits and a unit (H, M, S, m, u, n)';
  }
  // grpc-js counts in 32 bits, in which a long time is one that is over.
  if (Number(digits) * (unitMs[unit] ?? 0) >= 2 ** 31) headers['grpc-timeout'] = longestTimeout;
  return undefined;
}

/** An internal error before there is a message of the stream is about the bytes that came. */
function amend(stream: ServerHttp2Stream, fault: EarlyFault): void {
  const respond = stream.respond.bind(stream);
  stream.respond = (headers: OutgoingHttpHeaders = {}, options) => {
    const answer = headers['grpc-status'];
    if (fault.isUnpacked || answer === undefined) return respond(headers, options);
    fault.answer = answer as unknown as status; // as gRPC puts it there
    if (fault.answer !== status.INTERNAL) return respond(headers, options);
    fault.answer = status.INVALID_ARGUMENT;
    const message = encodeURI('the request can not be unpacked');
    return respond({ ...headers, 'grpc-status': fault.answer, 'grpc-message': message }, options);
  };
}
