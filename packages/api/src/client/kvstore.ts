import {
  type BootstrapRequestInit,
  type BootstrapResponse,
  KvstoreService,
  type KvstoreStatusResponse,
} from '../../gen/nodecore-v1.js';
import { type CallOptions, type Channel, stream, unary } from './call.ts';

/** Calls to the kvstore's member on one node. Lives as long as the `Client` it is of. */
export class KvstoreClient {
  readonly #channel: Channel;

  /** Use `Client.kvstore`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  status(options: CallOptions = {}): Promise<KvstoreStatusResponse> {
    return unary(this.#channel, KvstoreService.status, {}, options);
  }

  /** What is being done, step by step; resolves its last message when the member is healthy. */
  bootstrap(request: BootstrapRequestInit, options: CallOptions = {}): AsyncIterable<BootstrapResponse> {
    return stream(this.#channel, KvstoreService.bootstrap, request, options);
  }
}
