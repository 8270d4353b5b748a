import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';

import {
  Metadata,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { ApiError, type CallOptions, codeOfStatus, errorInfoOf, type Method } from '@nodecore/api';
import { onAbort } from '@nodecore/waiting';

import { authorise, type Caller } from './caller.ts';
import { type ServiceOptions, type ServicePart, wholeServices } from './service-part.ts';

const defaultTimeoutMs = 30_000;
/** What stands for an address. */
const peer = 'own';

type Unary = handleUnaryCall<unknown, unknown>;
type Streaming = handleServerStreamingCall<unknown, unknown>;

/** Calls of the node API by the agent itself: the handlers of all others, judged by roles as theirs are, and no connection. */
export class OwnCalls {
  readonly #handlers: ReadonlyMap<string, unknown>;
  readonly #caller: Caller;

  /** @throws {TypeError} for a method without a handler. */
  constructor(
    services: (options: ServiceOptions) => readonly ServicePart[],
    options: Omit<ServiceOptions, 'callerOf'>,
    caller: Caller,
  ) {
    const whole = wholeServices(services({ ...options, callerOf: () => caller }));
    this.#handlers = new Map(
      [...whole].flatMap(([definition, handlers]) =>
        Object.entries(definition).map(([name, { path }]) => [path, handlers[name]] as const),
      ),
    );
    this.#caller = caller;
  }

  /** A call with one answer. Rejects with an `ApiError`, or with `signal.reason`. */
  async unary<RequestInit, Response>(
    method: Method<unknown, RequestInit, Response, never, false>,
    request: RequestInit,
    { signal, timeoutMs = defaultTimeoutMs }: CallOptions = {},
  ): Promise<Response> {
    signal?.throwIfAborted();
    const handler = this.#handlerOf(method.path) as Unary;
    const call = Object.assign(new EventEmitter(), this.#facts(method, request));
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    handler(call as unknown as ServerUnaryCall<unknown, unknown>, (error, answer) => {
      if (error === null) resolve(received(method, answer));
      else reject(apiError(error));
    });
    const end = (reason: unknown): void => {
      reject(reason);
      call.emit('cancelled');
    };
    using _listener = onAbort(signal, end);
    const timer = setTimeout(() => end(late(timeoutMs)), timeoutMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A call with a stream of answers. Leaving the loop ends it. Throws an `ApiError`, or `signal.reason`. */
  async *stream<RequestInit, Response>(
    method: Method<unknown, RequestInit, Response, never, true>,
    request: RequestInit,
    { signal, timeoutMs }: CallOptions = {},
  ): AsyncGenerator<Response, void, void> {
    signal?.throwIfAborted();
    const handler = this.#handlerOf(method.path) as Streaming;
    const call = Object.assign(new PassThrough({ objectMode: true }), this.#facts(method, request));
    call.on('error', () => {}); // whoever reads has it
    handler(call as unknown as ServerWritableStream<unknown, unknown>);
    const end = (reason: unknown): void => void call.destroy(reason as Error);
    using _listener = onAbort(signal, end);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end(late(timeoutMs)), timeoutMs);
    try {
      for await (const answer of call) yield received(method, answer);
      signal?.throwIfAborted();
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ApiError ? error : apiError(error as Partial<ServiceError>);
    } finally {
      clearTimeout(timer);
      call.destroy();
    }
  }

  /** @throws {ServerError} `ERR_SERVER_DENIED` where the roles do not allow the call. */
  #handlerOf(path: string): unknown {
    authorise(this.#caller, path);
    return this.#handlers.get(path);
  }

  #facts<RequestInit>(
    method: Pick<
      Method<unknown, RequestInit, unknown, never, boolean>,
      'requestSerialize' | 'requestDeserialize'
    >,
    request: RequestInit,
  ) {
    return {
      // What is left out has its default, as after a way over a wire.
      request: method.requestDeserialize(method.requestSerialize(request)),
      metadata: new Metadata(),
      getPeer: () => peer,
    };
  }
}

function received<Response>(
  method: Pick<Method<unknown, never, Response, never, boolean>, 'responseSerialize' | 'responseDeserialize'>,
  answer: unknown,
): Response {
  return method.responseDeserialize(method.responseSerialize(answer as never));
}

function apiError({ code = status.UNKNOWN, details = '', metadata }: Partial<ServiceError>): ApiError {
  const info = metadata instanceof Metadata ? errorInfoOf(metadata) : undefined;
  return new ApiError(codeOfStatus(code), details, {
    endpoint: peer,
    reason: info?.code,
    problems: info?.problems,
  });
}

function late(timeoutMs: number): ApiError {
  return new ApiError('ERR_API_TIMEOUT', `no answer within ${timeoutMs / 1000} s`, { endpoint: peer });
}
