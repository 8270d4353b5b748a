import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { codeOf } from '@nodecore/sys';

import { TrustedProxies } from './trusted-proxies.ts';

/** A request and what became of it, for who records or counts. Has no credential, no query, and nothing of a body. */
export type Ended = {
  readonly requestId: string;
  /** Name of the route that served it. */
  readonly route: string;
  readonly method: string;
  /** As it was sent, from the path to the query; what looks like a token is cut out, and what is longer than 2048 characters cut off. */
  readonly path: string;
  readonly clientIp: string;
  /** Empty where nobody was let in, or nobody is asked who they are. */
  readonly subject: string;
  /** 499 when who asked went away before the answer had gone. */
  readonly status: number;
  /** Code of an error; empty for none. */
  readonly error: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Undefined when no byte was sent. */
  readonly firstByteMs: number | undefined;
};

/** Told of each request when it has ended, and by which object {@link AnswerWitness} was told of it. */
export type ExchangeObserver = (ended: Ended, request: object) => void;

/** Told of a request before any of its answer goes, as it is then. What it gives is waited for, and never rejects. */
export type AnswerWitness = (soFar: Ended, request: object) => Promise<void>;

/** No path that is served is longer. */
const maxPath = 2_048;

/** The requests that are served. */
export class Exchanges {
  readonly #observers: readonly ExchangeObserver[];
  readonly #witness: AnswerWitness | undefined;
  readonly #proxies: TrustedProxies;
  readonly #open = new Set<Exchange>();
  #idle = Promise.withResolvers<void>();

  /** @param observers told once of each, when the connection has taken the answer, or is gone. */
  constructor(
    observers: readonly ExchangeObserver[],
    {
      witness,
      proxies = new TrustedProxies(),
    }: { readonly witness?: AnswerWitness | undefined; readonly proxies?: TrustedProxies } = {},
  ) {
    this.#observers = observers;
    this.#witness = witness;
    this.#proxies = proxies;
  }

  begin(route: string, incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
    const onEnd: ExchangeObserver = (ended) => {
      for (const observe of this.#observers) observe(ended, exchange);
      this.#open.delete(exchange);
      if (this.#open.size === 0) this.#idle.resolve();
    };
    const clientIp = this.#proxies.clientOf(incoming);
    const exchange: Exchange = new Exchange(route, { incoming, outgoing, clientIp }, onEnd, this.#witness);
    this.#open.add(exchange);
    return exchange;
  }

  /** Resolves when all that have begun have ended. */
  async ended(): Promise<void> {
    if (this.#open.size === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }
}

/** A request that is served. */
export class Exchange {
  readonly requestId: string;
  /** Set when somebody is let in. */
  subject = '';
  readonly #gone = new AbortController();
  readonly #startedAt = new Date();
  readonly #started = performance.now();
  readonly #asked: Pick<Ended, 'route' | 'method' | 'path' | 'clientIp'>;
  readonly #witness: AnswerWitness | undefined;
  #status = 0;
  #error = '';
  #firstByteMs: number | undefined;
  #isEnded = false;

  /** @param onEnd told once, when the connection has taken the answer, or is gone. */
  constructor(
    route: string,
    {
      incoming,
      outgoing,
      clientIp,
    }: {
      readonly incoming: IncomingMessage;
      readonly outgoing: ServerResponse;
      readonly clientIp: string;
    },
    onEnd: ExchangeObserver,
    witness?: AnswerWitness,
  ) {
    const { method = '', url = '', headers } = incoming;
    this.requestId = requestIdOf(headers['x-request-id']);
    this.#witness = witness;
    const path = withoutTokens(url.split('?', 1)[0] ?? '').slice(0, maxPath);
    this.#asked = { route, method, path, clientIp };
    outgoing.once('close', () => {
      this.#isEnded = true;
      this.#gone.abort();
      const isWhole = outgoing.writableFinished || this.#error !== '';
      onEnd(this.#soFar(isWhole ? this.#status : 499), this);
    });
  }

  get clientIp(): string {
    return this.#asked.clientIp;
  }

  /** Fires when nobody waits for the answer any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The answer that is going to be sent. Resolves when it may be. */
  async answered(status: number): Promise<void> {
    this.#status = status;
    if (!this.#isEnded) await this.#witness?.(this.#soFar(status), this);
  }

  /** What is answered in place of what was asked for, or has broken it off. */
  failed(error: unknown): void {
    this.#error = codeOf(error) ?? 'ERR_FACTORY_INTERNAL';
  }

  firstByte(): void {
    this.#firstByteMs ??= performance.now() - this.#started;
  }

  #soFar(status: number): Ended {
    return {
      ...this.#asked,
      requestId: this.requestId,
      subject: this.subject,
      status,
      error: this.#error,
      startedAt: this.#startedAt,
      durationMs: performance.now() - this.#started,
      firstByteMs: this.#firstByteMs,
    };
  }
}

/** Given ones go into a header, and into logs, where no token is to be. */
function requestIdOf(given: string | string[] | undefined): string {
  const isGiven = typeof given === 'string' && /^(?!eyJ)[A-Za-z0-9._-]{1,128}$/.test(given);
  return isGiven ? given : randomUUID();
}

/** Who puts a token into a path has not put it into a log, in whatever way it is written. */
function withoutTokens(path: string): string {
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  const cut = withoutWordTokens(decoded);
  if (cut === decoded) return path;
  return decoded === path ? cut : '[token]';
}

/** Word by word, so that a long path takes no longer than reading it. */
function withoutWordTokens(text: string): string {
  return text.replace(/[\w.-]+/g, (word) => {
    const start = word.indexOf('eyJ');
    return start < 0 || !word.includes('.', start) ? word : `${word.slice(0, start)}[token]`;
  });
}
