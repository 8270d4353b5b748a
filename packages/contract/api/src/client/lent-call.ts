import type { OnReadOpts } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { ApiError } from '../errors.ts';
import { headersOf, pathFor } from './call.ts';
import { newRequestId, requestIdHeader } from '../request-id.ts';
import type { CallOptions, Channel } from './channel.ts';
import { apiError } from './failure.ts';
import { faultOf } from './fault.ts';
import { type Ending, failureOf } from './stream-status.ts';

/**
 * It has no deadline, and nothing asks whether the node is still there: the reader of the answer knows how long a silence may be.
 * The node asks in its turn, and hangs up on who has read nothing for a minute and twenty seconds.
 */
export type LentCallOptions = Omit<CallOptions, 'timeoutMs'>;

/** A request of gRPC, over HTTP/2. */
export type LentRequest = {
  readonly scheme: 'https';
  /** `host:port` */
  readonly authority: string;
  readonly path: string;
  /** What a proxy has to know to pass the call on. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The one message, as gRPC frames it. */
  readonly body: Uint8Array;
};

/** What came of it, as its reader has it. */
export type LentAnswer = Ending & {
  /** What was done against HTTP/2. */
  readonly violation: string | undefined;
  /** Why the content is no messages. */
  readonly fault: string | undefined;
  /** The content ends with a message's end. */
  readonly isWhole: boolean;
};

/**
 * A call with a stream of answers that somebody else makes, who has an HTTP/2 for gigabytes. Who is at the other end, what the
 * node is told and what an end means are as for any other call.
 *
 * @see docs/decisions/snapshot-stream.md
 */
export class LentCall {
  readonly #channel: Channel;
  readonly #options: LentCallOptions;
  readonly #requestId = newRequestId();
  readonly request: LentRequest;
  /** Ends the call; its reason is what it fails with. */
  readonly signal: AbortSignal;

  /** Use the client's method. */
  constructor(channel: Channel, path: string, message: Uint8Array, options: LentCallOptions) {
    const { closed, endpoint, sign } = channel;
    if (sign !== undefined) {
      const words = 'streams of gigabytes do not go through a fleet in this version: use the node itself';
      throw new ApiError('ERR_API_UNSUPPORTED', `${endpoint}: ${words}`, { endpoint, node: options.node });
    }
    this.#channel = channel;
    this.#options = options;
    this.signal = options.signal === undefined ? closed : AbortSignal.any([options.signal, closed]);
    this.request = {
      scheme: 'https',
      authority: endpoint,
      path: pathFor(channel, path, options),
      metadata: { ...headersOf(channel, options), ...requestIdHeader(this.#requestId) },
      body: framed(message),
    };
  }

  /** The node, as its user has named it. */
  get subject(): string {
    return this.#options.node ?? this.#channel.endpoint;
  }

  /**
   * A connection for this call, that the caller ends. Waits for as long as the signal lets it, which includes that of the call.
   * Rejects with an `ApiError`, or with `signal.reason`.
   */
  dial(onread: OnReadOpts, signal: AbortSignal): Promise<TLSSocket> {
    return this.#channel.connector.dial(onread, signal);
  }

  /** That nobody answered in time. */
  silent(): ApiError {
    const { connector, endpoint } = this.#channel;
    const { code, words, fault } = faultOf('ETIMEDOUT', connector.port);
    return new ApiError(code, `${this.subject}: ${words}`, { endpoint, node: this.#options.node, fault });
  }

  /** Why the call failed; undefined when its answer is complete. */
  failureOf(answer: LentAnswer): ApiError | undefined {
    const { fault, violation, isWhole } = answer;
    // What else is at that port may send anything behind its status.
    if (answer.headers.get(':status') === '200' && fault !== undefined) return this.#noMessage(fault);
    if (violation !== undefined && fault === undefined) return this.#protocol(`no HTTP/2: ${violation}`);
    const failed = failureOf(answer);
    if (failed !== undefined)
      return apiError({ ...failed, requestId: this.#requestId }, this.#channel, this.#options);
    return isWhole ? undefined : this.#noMessage('the last one has no end');
  }

  #noMessage(why: string): ApiError {
    return this.#protocol(`no message: ${why}`);
  }

  #protocol(words: string): ApiError {
    const { endpoint } = this.#channel;
    const { node } = this.#options;
    return new ApiError('ERR_API_PROTOCOL', `${this.subject}: what it sends is ${words}`, { endpoint, node });
  }
}

/** As gRPC has it: not compressed, so many bytes. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
