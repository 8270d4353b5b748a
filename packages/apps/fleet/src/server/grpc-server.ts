import { Server, ServerCredentials, type ServerInterceptor } from '@grpc/grpc-js';
import type { Duplex } from 'node:stream';

import type { ServicePart } from './service-part.ts';

const maxMessageBytes = 32 << 20;
/** How long calls may go on when the server ends. */
const graceMs = 2_000;

/** gRPC on connections that somebody else accepts: TLS, and who is meant by ALPN, are settled before. */
export class GrpcServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #injector: ReturnType<Server['createConnectionInjector']>;

  constructor(parts: readonly ServicePart[], interceptor: ServerInterceptor) {
    this.#server = new Server({
      interceptors: [interceptor],
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc.max_concurrent_streams': 1000,
      'grpc.keepalive_time_ms': 20_000,
      'grpc.keepalive_timeout_ms': 20_000,
      'grpc.keepalive_permit_without_calls': 1,
    });
    for (const { definition, handlers } of parts) {
      for (const [name, method] of Object.entries(definition)) {
        const handler = handlers[name];
        if (handler === undefined) continue;
        const { path, requestStream, responseStream, requestDeserialize, responseSerialize } = method;
        const type = requestStream
          ? responseStream
            ? 'bidi'
            : 'clientStream'
          : responseStream
            ? 'serverStream'
            : 'unary';
        const isNew = this.#server.register(
          path,
          handler as never,
          responseSerialize,
          requestDeserialize,
          type,
        );
        if (!isNew) throw new TypeError(`two features serve ${path}`);
      }
    }
    this.#injector = this.#server.createConnectionInjector(ServerCredentials.createInsecure());
  }

  /** Serves HTTP/2 on a connection, and owns it from now on. */
  accept(connection: Duplex): void {
    this.#injector.injectConnection(connection);
  }

  /** Ends every call: those that do not end by themselves are cut off after two seconds. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#injector.drain(graceMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.tryShutdown(() => resolve());
    const late = setTimeout(() => this.#server.forceShutdown(), graceMs);
    await promise;
    clearTimeout(late);
    this.#injector.destroy();
  }
}
