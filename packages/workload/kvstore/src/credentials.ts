import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';

import { CallCredentials, ChannelCredentials, type experimental } from '@grpc/grpc-js';

import type { Endpoint } from './endpoint.ts';
import type { KvstoreError } from './errors.ts';
import { secured, secureSocket } from './tls.ts';

/** TLS for a channel that keeps what went wrong as an error with a code; grpc-js has only a text. */
export class TlsCredentials extends ChannelCredentials {
  readonly #endpoint: Endpoint;
  readonly #context: SecureContext;
  #failure: KvstoreError | undefined;

  constructor(endpoint: Endpoint, context: SecureContext) {
    super();
    this.#endpoint = endpoint;
    this.#context = context;
  }

  /** Why the last connection could not be made or ended in TLS; undefined while it stands. */
  get failure(): KvstoreError | undefined {
    return this.#failure;
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    _target: unknown,
    _options: unknown,
    callCredentials?: CallCredentials,
  ): experimental.SecureConnector {
    return {
      connect: async (socket: Socket) => {
        const over = secureSocket(this.#endpoint, this.#context, { socket });
        const tls = await secured(this.#endpoint, over, (error) => {
          this.#failure = error;
        });
        this.#failure = undefined;
        return { socket: tls, secure: true };
      },
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => callCredentials ?? CallCredentials.createEmpty(),
      destroy: () => {},
    };
  }
}
