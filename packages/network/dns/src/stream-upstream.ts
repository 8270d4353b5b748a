import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';

import { codeOf } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

import { DnsError } from './errors.ts';
import { frame, FrameReader } from './frames.ts';
import { Message } from './message.ts';
import { checkAnswer, type Upstream } from './upstream.ts';

export type StreamParts = Pick<Upstream, 'name' | 'at'> & {
  /** Begins a connection. */
  readonly connect: () => Socket;
};

type Waiting = { readonly query: Message; resolve(answer: Message): void; reject(error: unknown): void };

/** Open without a question so long. */
const idleMs = 10_000;

/** Questions side by side on one connection, which begins with the first of them and ends when nobody asks any more. */
export class StreamUpstream implements Upstream {
  readonly name: string;
  readonly at: Upstream['at'];
  readonly #parts: StreamParts;
  #connection: Connection | undefined;

  constructor(parts: StreamParts) {
    this.name = parts.name;
    this.at = parts.at;
    this.#parts = parts;
  }

  async ask(query: Message, signal: AbortSignal): Promise<Message> {
    signal.throwIfAborted();
    if (this.#connection === undefined || this.#connection.hasEnded)
      this.#connection = new Connection(this.#parts);
    return await this.#connection.ask(query, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.close();
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #parts: StreamParts;
  readonly #waiting = new Map<number, Waiting>();
  readonly #closed = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#socket = parts.connect();
    const reader = new FrameReader((bytes) => this.#hear(bytes));
    this.#socket.setNoDelay(true);
    this.#socket.setTimeout(idleMs, () =>
      this.#end(new DnsError('ERR_DNS_TIMEOUT', `${parts.name} is silent`)),
    );
    this.#socket.on('data', (chunk: Buffer) => reader.feed(chunk));
    this.#socket.on('error', (error) => this.#end(failureOf(parts.name, error)));
    this.#socket.on('close', () => {
      this.#end(new DnsError('ERR_DNS_UNREACHABLE', `${parts.name} has ended the connection`));
      this.#closed.resolve();
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async ask(query: Message, signal: AbortSignal): Promise<Message> {
    const id = this.#freeId();
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    this.#waiting.set(id, { query, resolve, reject });
    using _listener = onAbort(signal, () => reject(signal.reason));
    const bytes = Buffer.from(query.bytes);
    bytes.writeUInt16BE(id, 0);
    // Node.js keeps what is written until the connection is there, and TLS until it is proven.
    this.#socket.write(frame(bytes));
    try {
      return await promise;
    } finally {
      this.#waiting.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#end(new DnsError('ERR_DNS_UNREACHABLE', `${this.#parts.name} is not asked any more`));
    await this.#closed.promise;
  }

  #freeId(): number {
    for (;;) {
      const id = randomInt(0x1_0000);
      if (!this.#waiting.has(id)) return id;
    }
  }

  #hear(bytes: Buffer): void {
    try {
      const answer = new Message(bytes);
      const waiting = this.#waiting.get(answer.id);
      if (waiting === undefined) return; // the caller has gone
      waiting.resolve(new Message(checkAnswer(waiting.query, answer).answerTo(waiting.query)));
    } catch (error) {
      this.#end(error); // nothing that follows can be trusted
    }
  }

  #end(error: unknown): void {
    this.#hasEnded = true;
    this.#socket.destroy();
    for (const waiting of this.#waiting.values()) waiting.reject(error);
  }
}

/** What went wrong with a connection, in codes of ours. */
export function failureOf(name: string, error: unknown): DnsError {
  if (error instanceof DnsError) return error;
  const code = codeOf(error) ?? '';
  const isCertificate = /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_SSL)/u.test(code);
  const why = isCertificate ? `its certificate is not trusted: ${code}` : code;
  return new DnsError(isCertificate ? 'ERR_DNS_CERTIFICATE' : 'ERR_DNS_UNREACHABLE', `${name}: ${why}`, {
    cause: error,
  });
}
