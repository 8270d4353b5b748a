import type { SecureContext } from 'node:tls';

import { Client, connectivityState, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { abortable, onAbort } from '@nodecore/waiting';

import type { Method } from '../gen/etcdserverpb.js';
import { TlsCredentials } from './credentials.ts';
import type { Deadline } from './deadline.ts';
import { authorityOf, type Endpoint } from './endpoint.ts';
import { KvstoreError } from './errors.ts';
import { speaks } from './spoken.ts';
import { statusError } from './status-error.ts';
import { tlsThere } from './tls.ts';

/** Largest answer that is taken: a listing of all keys of a large store has tens of MiB. */
const largestAnswerBytes = 256 << 20;

/** The time a call may take, who may end it sooner, and whether it is any use without a leader. */
export type CallLimits = {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
  readonly needsLeader?: boolean | undefined;
  /** Of a user after the login. */
  readonly token?: string | undefined;
};

/** Any method with one request and one answer. */
export type Unary<RequestInit, Response> = Method<unknown, RequestInit, Response, never, false>;

/** Any method with one request and many answers. */
export type Streaming<RequestInit, Response> = Method<unknown, RequestInit, Response, never, true>;

/** The connection to one member; made at the first call, and again when it broke. */
export class Channel {
  readonly endpoint: Endpoint;
  readonly #tls: TlsCredentials | undefined;
  #client: Client | undefined;

  constructor(endpoint: Endpoint, context: SecureContext | undefined) {
    this.endpoint = endpoint;
    this.#tls = endpoint.tls && context !== undefined ? new TlsCredentials(endpoint, context) : undefined;
  }

  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }

  /** Resolves when there is a connection. What fails here was never sent. */
  async ready({ deadline, signal }: CallLimits): Promise<void> {
    const client = this.#open();
    const channel = client.getChannel();
    for (;;) {
      signal?.throwIfAborted();
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.READY) return;
      if (state === connectivityState.TRANSIENT_FAILURE || state === connectivityState.SHUTDOWN) {
        // gRPC says so until it has succeeded: the next call begins anew, and its failure is one of its own.
        if (this.#client === client) this.close();
        throw await this.#unreachable();
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      channel.watchConnectivityState(state, deadline.toDate(), (error) => {
        if (error === undefined) resolve();
        else reject(this.#silent());
      });
      await abortable(promise, signal);
    }
  }

  /** Asks once. Rejects with a {@link KvstoreError} or with `signal.reason`. */
  async ask<RequestInit, Response>(
    method: Unary<RequestInit, Response>,
    request: RequestInit,
    { deadline, signal, needsLeader = false, token }: CallLimits,
  ): Promise<Response> {
    signal?.throwIfAborted();
    const metadata = metadataOf({ needsLeader, token });
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const call = this.#open().makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline: deadline.toDate() },
      (error, response) => {
        if (error === null) resolve(response!);
        else reject(this.#errorOf(error));
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

  /**
   * Asks once, and gives the answers as they come: the member sends no more than is read. Rejects with a
   * {@link KvstoreError} or with `signal.reason`.
   */
  async *stream<RequestInit, Response>(
    method: Streaming<RequestInit, Response>,
    request: RequestInit,
    { signal, needsLeader = false, token }: Omit<CallLimits, 'deadline'>,
  ): AsyncGenerator<Response, void, undefined> {
    signal?.throwIfAborted();
    const call = this.#open().makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadataOf({ needsLeader, token }),
    );
    call.on('error', () => {}); // one that comes after the last read
    using _listener = onAbort(signal, () => call.cancel());
    try {
      for await (const response of call) yield response as Response;
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof Error && 'details' in error ? this.#errorOf(error as ServiceError) : error;
    } finally {
      call.cancel();
    }
  }

  #open(): Client {
    const target = `dns:${authorityOf(this.endpoint.host, this.endpoint.port)}`;
    this.#client ??= new Client(target, this.#tls ?? credentials.createInsecure(), {
      'grpc.max_receive_message_length': largestAnswerBytes,
      'grpc.keepalive_time_ms': 10_000,
      'grpc.keepalive_timeout_ms': 5_000,
      'grpc.use_local_subchannel_pool': 1, // the connection is this object's own and ends with it
      'grpc.enable_retries': 0, // what may be asked twice is decided here
      'grpc.enable_http_proxy': 0,
    });
    return this.#client;
  }

  #silent(): KvstoreError {
    const { text } = this.endpoint;
    return (
      this.#tls?.failure ??
      new KvstoreError('ERR_KVSTORE_UNREACHABLE', text, 'no connection; is the member up?')
    );
  }

  /** A server of TLS ends connections in plain text without a word. */
  async #unreachable(): Promise<KvstoreError> {
    if (this.#tls === undefined && (await speaks(this.endpoint)) === 'tls') return tlsThere(this.endpoint);
    return this.#silent();
  }

  #errorOf(error: ServiceError): KvstoreError {
    if (error.code === status.UNAVAILABLE && this.#tls?.failure !== undefined) return this.#tls.failure;
    return statusError(this.endpoint.text, error.code, error.details, error);
  }
}

function metadataOf({ needsLeader, token }: Pick<CallLimits, 'needsLeader' | 'token'>): Metadata {
  const metadata = new Metadata();
  if (needsLeader === true) metadata.set('hasleader', 'true'); // a member without one says so, where it would wait for one
  if (token !== undefined) metadata.set('token', token);
  return metadata;
}
