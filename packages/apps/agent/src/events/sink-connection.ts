import { rootCertificates } from 'node:tls';

import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { EventSink, type PublishRequestInit } from '@nodecore/api/event';
import type { EventSinkEndpoint } from '@nodecore/config';
import { onAbort } from '@nodecore/waiting';

/** As long a receiver may take for one batch. */
const patienceMs = 10_000;

/** The connection to who collects events; it is made when there is something to send, and made again when it is lost. */
export class SinkConnection implements Disposable {
  readonly #client: Client;

  /** @param authorities PEM, trusted beside those that Node.js trusts. */
  constructor({ host, port, tls }: EventSinkEndpoint, authorities: readonly string[] = []) {
    const trusted = Buffer.from([...rootCertificates, ...authorities].join('\n'));
    const name = host.includes(':') ? `[${host}]` : host;
    this.#client = new Client(
      `dns:///${name}:${port}`,
      tls ? credentials.createSsl(trusted) : credentials.createInsecure(),
      {
        // Who calls a receiver waits by itself, and says why meanwhile.
        'grpc.initial_reconnect_backoff_ms': 100,
        'grpc.max_reconnect_backoff_ms': 1000,
        'grpc.enable_http_proxy': 0,
        'grpc.enable_retries': 0,
      },
    );
  }

  /** Resolves when the receiver has taken them. @throws {Error} with the words of gRPC, or the signal's reason. */
  async publish(request: PublishRequestInit, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { path, requestSerialize, responseDeserialize } = EventSink.publish;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const call = this.#client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      { deadline: Date.now() + patienceMs },
      (error: ServiceError | null) => (error === null ? resolve() : reject(error)),
    );
    using _listener = onAbort(signal, () => call.cancel());
    await promise;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}
