import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';

import { Backoff, systemClock } from '@nodecore/waiting';

import { Maintenance } from '../gen/etcdserverpb.js';
import { type CallLimits, Channel, type Streaming, type Unary } from './channel.ts';
import { Deadline } from './deadline.ts';
import { dial, type DialOptions } from './dial.ts';
import { parseEndpoint } from './endpoint.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { type KvstoreUser, Login } from './login.ts';
import { asksForLogin } from './status-error.ts';
import { secureContext, type KvstoreTls } from './tls.ts';

export type ConnectOptions = {
  /** Client URLs of members: `https://host:port`, `http://host:port`, or `host:port`. One that is up will do. */
  readonly endpoints: readonly string[];
  /** Needed for https. */
  readonly tls?: KvstoreTls | undefined;
  /** Needed where authentication is on and no certificate names the user. A password goes over TLS, or stays on the machine. */
  readonly user?: KvstoreUser | undefined;
  /** Largest time for a call that says none, in milliseconds; 5 s unless given. */
  readonly timeoutMs?: number | undefined;
  /** Ends the first contact. */
  readonly signal?: AbortSignal | undefined;
};

export type CallOptions = {
  /** Largest time for the whole call with everything that is asked again, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A member without a leader says so at once, where it would wait for one. */
  readonly needsLeader?: boolean | undefined;
};

const defaultTimeoutMs = 5_000;

/**
 * Makes contact with a cluster: resolves when one of the endpoints answers, with or without a leader. A user is logged in
 * when there is one.
 *
 * @throws {KvstoreError} of the last endpoint when none does; `ERR_KVSTORE_DENIED` for a wrong name or password.
 * @example
 * await using kvstore = await connect({ endpoints: ['https://10.0.0.5:2379'], tls });
 * console.log(await members(kvstore));
 */
export async function connect(options: ConnectOptions): Promise<Kvstore> {
  const kvstore = new Kvstore(options);
  try {
    await kvstore.read(Maintenance.status, {}, options);
    // Without a leader no user can log in; with one, a wrong password is told now.
    await kvstore.freshToken(kvstore.preferred, options).catch((error: unknown) => {
      if (!isTransient(error)) throw error;
    });
    return kvstore;
  } catch (error) {
    kvstore.close();
    throw error;
  }
}

/** A cluster, reached over one connection for each member. Owned by the caller of {@link connect}. */
export class Kvstore {
  readonly #channels = new Map<string, Channel>();
  readonly #context: SecureContext | undefined;
  readonly #login: Login | undefined;
  readonly #timeoutMs: number;
  readonly #configured: readonly string[];
  #discovered: readonly string[] = [];
  #preferred = '';
  #isClosed = false;

  /** Use {@link connect}. */
  constructor({ endpoints, tls, user, timeoutMs = defaultTimeoutMs }: ConnectOptions) {
    if (endpoints.length === 0)
      throw new KvstoreError('ERR_KVSTORE_ENDPOINT', 'endpoints', 'none given; name a member');
    this.#context = tls === undefined ? undefined : secureContext(tls);
    this.#login = user === undefined ? undefined : new Login(user);
    this.#timeoutMs = timeoutMs;
    this.#configured = [...new Set(endpoints.map((text) => parseEndpoint(text, this.hasTls).text))];
  }

  /** What it was connected with, in one spelling. */
  get endpoints(): readonly string[] {
    return this.#configured;
  }

  /**
   * Says at which endpoints members of the same cluster answered, in place of those said before. They are asked when none of
   * the configured ones can be.
   */
  discover(endpoints: readonly string[]): void {
    const texts = endpoints.map((text) => parseEndpoint(text, this.hasTls).text);
    this.#discovered = texts.filter((text) => !this.#configured.includes(text));
  }

  /** The endpoint that answered last. */
  get preferred(): string {
    return this.#inOrder()[0]!.endpoint.text;
  }

  get hasTls(): boolean {
    return this.#context !== undefined;
  }

  /**
   * Asks what may be asked twice: of one endpoint after the other, and again after a pause while the cluster elects a
   * leader, until there is an answer or no time.
   */
  async read<RequestInit, Response>(
    method: Unary<RequestInit, Response>,
    request: RequestInit,
    options: CallOptions = {},
  ): Promise<Response> {
    const { signal } = options;
    const deadline = this.#deadline(options);
    const backoff = new Backoff({ firstMs: 50, largestMs: 500 });
    let elects: unknown;
    for (;;) {
      const channels = this.#inOrder();
      const failures: unknown[] = [];
      for (const [index, channel] of channels.entries()) {
        const limits = { ...options, deadline: deadline.share(channels.length - index) };
        try {
          await channel.ready(limits);
          const response = await this.#ask(channel, method, request, limits);
          this.#preferred = channel.endpoint.text;
          return response;
        } catch (error) {
          signal?.throwIfAborted();
          if (!isTransient(error)) throw error;
          failures.push(error);
        }
      }
      const waitMs = backoff.next();
      elects = failures.find((error) => isKvstoreError(error, 'ERR_KVSTORE_NO_LEADER')) ?? elects;
      if (elects === undefined || waitMs >= deadline.remainingMs) throw elects ?? failures[0];
      await systemClock.sleep(waitMs, signal);
    }
  }

  /** Asks once: of the first endpoint that there is a connection to. What may have been heard is not said again. */
  async write<RequestInit, Response>(
    method: Unary<RequestInit, Response>,
    request: RequestInit,
    options: CallOptions = {},
  ): Promise<Response> {
    const deadline = this.#deadline(options);
    const channels = this.#inOrder();
    let failure: unknown;
    for (const [index, channel] of channels.entries()) {
      try {
        await channel.ready({ ...options, deadline: deadline.share(channels.length - index) });
      } catch (error) {
        options.signal?.throwIfAborted();
        failure ??= error;
        continue;
      }
      return this.#ask(channel, method, request, { ...options, deadline });
    }
    throw failure;
  }

  /**
   * Opens a stream of answers at the first endpoint that there is a connection to. It is not opened again when it breaks.
   * `timeoutMs` is for the connection alone.
   */
  async *stream<RequestInit, Response>(
    method: Streaming<RequestInit, Response>,
    request: RequestInit,
    options: CallOptions = {},
  ): AsyncGenerator<Response, void, undefined> {
    const deadline = this.#deadline(options);
    const channels = this.#inOrder();
    let failure: unknown;
    for (const [index, channel] of channels.entries()) {
      const limits = { ...options, deadline: deadline.share(channels.length - index) };
      try {
        await channel.ready(limits);
      } catch (error) {
        options.signal?.throwIfAborted();
        failure ??= error;
        continue;
      }
      const token = await this.#login?.token(channel, { ...options, deadline });
      return yield* channel.stream(method, request, { ...options, token });
    }
    throw failure;
  }

  /** Asks one member, which need not be among {@link endpoints}. */
  async at<RequestInit, Response>(
    endpoint: string,
    method: Unary<RequestInit, Response>,
    request: RequestInit,
    options: CallOptions = {},
  ): Promise<Response> {
    const limits = { ...options, deadline: this.#deadline(options) };
    const channel = this.#channel(endpoint);
    await channel.ready(limits);
    return this.#ask(channel, method, request, limits);
  }

  /**
   * A new token for a call that can't be made twice, over a connection of the caller's own; undefined without a user. Without
   * a leader there is none but that of before.
   */
  async freshToken(endpoint: string, options: CallOptions = {}): Promise<string | undefined> {
    if (this.#login === undefined) return undefined;
    const limits = { ...options, deadline: this.#deadline(options) };
    const channel = this.#channel(endpoint);
    await channel.ready(limits);
    return await this.#login.fresh(channel, limits);
  }

  /** A connection of the caller's own to a member, ready for HTTP/2 and checked like all others. */
  dial(endpoint: string, options: CallOptions & Pick<DialOptions, 'onread'>): Promise<Socket> {
    const { signal, timeoutMs = this.#timeoutMs, onread } = options;
    this.#assertOpen();
    return dial(parseEndpoint(endpoint, this.hasTls), this.#context, { timeoutMs, signal, onread });
  }

  /** Ends all connections; calls that run are cancelled. Twice is fine. */
  close(): void {
    this.#isClosed = true;
    for (const channel of this.#channels.values()) channel.close();
    this.#channels.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  /** Once more with a new token, when the first was refused: then nothing was done. */
  async #ask<RequestInit, Response>(
    channel: Channel,
    method: Unary<RequestInit, Response>,
    request: RequestInit,
    limits: CallLimits,
  ): Promise<Response> {
    const login = this.#login;
    // A status needs no login, also while there is no leader to log in with.
    if (login === undefined || method.path === Maintenance.status.path)
      return await channel.ask(method, request, limits);
    const token = await login.token(channel, limits);
    try {
      return await channel.ask(method, request, { ...limits, token });
    } catch (error) {
      if (!asksForLogin(error)) throw error;
      await login.forget(token);
      return await channel.ask(method, request, { ...limits, token: await login.token(channel, limits) });
    }
  }

  /** All endpoints, beginning with the configured one that answered last. */
  #inOrder(): Channel[] {
    const first = Math.max(0, this.#configured.indexOf(this.#preferred));
    const texts = [...this.#configured.slice(first), ...this.#configured.slice(0, first)];
    return [...texts, ...this.#discovered].map((text) => this.#channel(text));
  }

  #channel(text: string): Channel {
    this.#assertOpen();
    const endpoint = parseEndpoint(text, this.hasTls);
    const channel = this.#channels.get(endpoint.text) ?? new Channel(endpoint, this.#context);
    this.#channels.set(endpoint.text, channel);
    return channel;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TypeError('kvstore used after close');
  }

  #deadline({ timeoutMs = this.#timeoutMs }: CallOptions): Deadline {
    return new Deadline(timeoutMs);
  }
}

/** Whether another member, or the same one later, may well answer. */
function isTransient(error: unknown): boolean {
  return isKvstoreError(
    error,
    'ERR_KVSTORE_UNREACHABLE',
    'ERR_KVSTORE_CERTIFICATE',
    'ERR_KVSTORE_PROTOCOL',
    'ERR_KVSTORE_TIMEOUT',
    'ERR_KVSTORE_NO_LEADER',
    'ERR_KVSTORE_LEARNER',
    'ERR_KVSTORE_BUSY',
  );
}
