import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

import { onAbort } from '@nodecore/waiting';

import { LinkError } from '../errors.ts';
import { beat } from '../heartbeat.ts';
import { type LinkLimits, linkLimits, sessionOptions, sessionWindowBytes } from '../limits.ts';
import { readLines, readMessages, writeLine } from '../lines.ts';
import { paths, protocol } from '../protocol.ts';
import { type ProvisionAnswer, type ProvisionRequest, readProvision } from '../provision.ts';

/** One Provision message, and the way to answer it. */
export type Provision = {
  readonly request: ProvisionRequest;
  /** Says so; `pending` may be followed by another answer. */
  readonly answer: (answer: ProvisionAnswer) => Promise<void>;
};

/**
 * The fleet's end of a link. Its holder closes it; it closes itself when the machine goes, or breaks a limit.
 *
 * Who the machine is, is what {@link FleetSession.provision} has proven, and never what a message says.
 */
export class FleetSession {
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #limits: LinkLimits;
  #streams = 0;
  readonly #closed = Promise.withResolvers<string>();

  private constructor(session: ClientHttp2Session, socket: TLSSocket, limits: LinkLimits) {
    this.#session = session;
    this.#socket = socket;
    this.#limits = limits;
    let reason = 'the machine closed the link';
    session.on('error', (error) => (reason = error.message));
    session.on('close', () => {
      socket.destroy();
      this.#closed.resolve(reason);
    });
    beat(session, limits.heartbeatMs);
  }

  /**
   * Takes a TLS connection whose protocol is `fleet-link/1`. It is the link's from now on.
   *
   * @throws {LinkError} `ERR_LINK_PROTOCOL` for another one, or one that is not TLS 1.3.
   */
  static async accept(socket: TLSSocket, limits: Partial<LinkLimits> = {}): Promise<FleetSession> {
    if (socket.alpnProtocol !== protocol || socket.getProtocol() !== 'TLSv1.3') {
      socket.destroy();
      throw new LinkError('ERR_LINK_PROTOCOL', `the connection is not one of ${protocol} on TLS 1.3`);
    }
    socket.setNoDelay(true);
    const session = connect('https://machine', {
      ...sessionOptions,
      createConnection: () => socket,
    });
    const link = new FleetSession(session, socket, { ...linkLimits, ...limits });
    session.on('stream', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM)); // pushed; settings forbid it
    try {
      await once(session, 'remoteSettings', { signal: AbortSignal.timeout(link.#limits.answerMs) });
    } catch (cause) {
      link.close();
      throw new LinkError('ERR_LINK_SILENT', 'the machine does not begin HTTP/2', { cause });
    }
    session.setLocalWindowSize(sessionWindowBytes);
    return link;
  }

  /** Resolves when the link is gone, with the reason. */
  get closed(): Promise<string> {
    return this.#closed.promise;
  }

  /** Where the machine is, as the connection says. */
  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? 'unknown';
  }

  /** Asks who the machine is; also later, to renew its certificate. @throws {LinkError} when it does not prove it. */
  async provision(): Promise<Provision> {
    const stream = this.#request({ ':method': 'POST', ':path': paths.provision }, { endStream: false });
    const messages = readMessages(stream, this.#limits.maxMessageBytes);
    const timer = setTimeout(() => stream.destroy(silent('Provision')), this.#limits.answerMs);
    try {
      const first = await messages.next();
      if (first.done === true) throw new LinkError('ERR_LINK_PROTOCOL', 'there is no Provision message');
      const request = readProvision(first.value, this.#socket);
      stream.resume();
      return {
        request,
        answer: async (answer) => {
          await writeLine(stream, JSON.stringify(answer));
          if (answer.state !== 'pending') stream.end();
        },
      };
    } catch (error) {
      stream.on('error', () => {}).destroy();
      throw error instanceof LinkError ? error : gone(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A stream to one of the machine's targets. @throws {LinkError} `ERR_LINK_TARGET` when the machine does not open it. */
  async connect(target: string, signal?: AbortSignal): Promise<Duplex> {
    signal?.throwIfAborted();
    const stream = this.#request({ ':method': 'CONNECT', ':authority': target }, { endStream: false });
    const deadline = AbortSignal.timeout(this.#limits.answerMs);
    const signals = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    try {
      const [headers] = (await once(stream, 'response', { signal: signals })) as [{ ':status'?: number }];
      if (headers[':status'] !== 200)
        throw new LinkError('ERR_LINK_TARGET', `the machine does not open ${target}`);
      return stream;
    } catch (error) {
      stream.on('error', () => {}).destroy();
      signal?.throwIfAborted();
      if (deadline.aborted) throw silent('CONNECT');
      // A stream that has just been closed still counts on the machine until it has heard of it.
      if (stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) throw busy();
      throw error instanceof LinkError ? error : gone(error);
    }
  }

  /** What the machine reports of itself, until the link ends. Ends the link when a message is too large. */
  events(signal?: AbortSignal): AsyncGenerator<unknown, void, undefined> {
    const stream = this.#request({ ':method': 'GET', ':path': paths.events }, { endStream: true });
    return this.#follow(stream, readMessages(stream, this.#limits.maxMessageBytes), signal);
  }

  /** The lines of the machine's log, until the link ends. Ends the link when a line is too long. */
  logs(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const stream = this.#request({ ':method': 'GET', ':path': paths.logs }, { endStream: true });
    return this.#follow(stream, readLines(stream, this.#limits.maxLogBytes), signal);
  }

  /** Ends the link. Twice is fine. */
  close(): void {
    this.#session.destroy();
  }

  async *#follow<T>(
    stream: ClientHttp2Stream,
    items: AsyncIterable<T>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T, void, undefined> {
    const end = (): void => void stream.destroy();
    using _abort = onAbort(signal, end);
    try {
      if (signal?.aborted !== true) yield* items;
    } catch (error) {
      if (signal?.aborted === true || this.#session.destroyed) return;
      if (error instanceof LinkError) this.#session.destroy(error);
      throw error;
    } finally {
      end();
    }
  }

  #request(headers: Record<string, string>, options: { readonly endStream: boolean }): ClientHttp2Stream {
    if (this.#session.destroyed || this.#session.closed) throw gone(undefined);
    // Node.js would keep the stream for later, without a bound.
    const most = this.#session.remoteSettings.maxConcurrentStreams ?? Infinity;
    if (this.#streams >= most) throw busy();
    const stream = this.#session.request(headers, options);
    this.#streams += 1;
    stream.on('error', () => {}); // its reader hears of it
    stream.once('close', () => (this.#streams -= 1));
    return stream;
  }
}

function silent(what: string): LinkError {
  return new LinkError('ERR_LINK_SILENT', `the machine does not answer ${what} in time`);
}

function busy(): LinkError {
  return new LinkError('ERR_LINK_BUSY', 'as many streams are open to the machine as it allows');
}

function gone(cause: unknown): LinkError {
  return new LinkError('ERR_LINK_CLOSED', 'the link is gone', { cause });
}
