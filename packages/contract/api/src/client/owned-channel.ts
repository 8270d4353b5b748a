import type { Client as GrpcClient } from '@grpc/grpc-js';
import { parseFingerprint } from '@nodecore/pki';
import type { Channel } from './channel.ts';
import { clientExpiryOf, type ConnectOptions, contextOf } from './connect-options.ts';
import { formatEndpoint, parseServerEndpoint } from './endpoint.ts';
import { openChannel } from './grpc-channel.ts';
import { parseProxy } from './proxy-server.ts';
import { TlsConnector } from './tls.ts';

/** A channel with an owner: for clients of services that are not a node's. Nothing is sent before the first call. */
export class OwnedChannel implements Disposable {
  readonly channel: Channel;
  readonly #closing = new AbortController();
  #client: GrpcClient | undefined;

  constructor(options: ConnectOptions) {
    const endpoint = parseServerEndpoint(options.endpoint);
    const context = contextOf(options);
    const fingerprints = options.insecure === true ? (options.fingerprints ?? []) : [];
    for (const text of fingerprints) parseFingerprint(text); // now, not in the middle of a handshake
    const isUnverified = options.insecure === true || ('sign' in options && options.unverified === true);
    const connector = new TlsConnector({
      endpoint,
      context,
      proxy: options.proxy === undefined ? undefined : parseProxy(options.proxy),
      clientExpires: clientExpiryOf(options),
      unverified: isUnverified ? { fingerprints } : undefined,
      closed: this.#closing.signal,
    });
    const name = formatEndpoint(endpoint);
    const client = (): GrpcClient => {
      this.#closing.signal.throwIfAborted();
      return (this.#client ??= openChannel(name, connector));
    };
    this.channel = {
      endpoint: name,
      cluster: options.cluster,
      connector,
      closed: this.#closing.signal,
      sign: 'sign' in options ? options.sign : undefined,
      get client() {
        return client();
      },
    };
  }

  /** Ends the connection and every call on it. Twice is fine. */
  close(): void {
    // Nothing that is tried again after a lost connection.
    this.#closing.abort(new TypeError(`the client of ${this.channel.endpoint} is closed`));
    this.#client?.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
