import {
  ContainerService,
  type ContainersResponse,
  type ContainerStatsResponse,
  type ImageImportRequestInit,
  type ImageImportResponse,
  type ImageListResponse,
  type ImagePullRequestInit,
  type ImagePullResponse,
  type ImageRemoveRequestInit,
} from '../../gen/nodecore-v1.js';
import { stream, unary, upload } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';

/** An archive of a gigabyte over a slow line. */
const importTimeoutMs = 3_600_000;

/** Calls to the container runtime of a node. Lives as long as the `Client` it is of. */
export class ContainersClient {
  readonly #channel: Channel;

  /** Use `Client.containers`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  list(namespace: string, options: CallOptions = {}): Promise<ContainersResponse> {
    return unary(this.#channel, ContainerService.containers, { namespace }, options);
  }

  stats(namespace: string, options: CallOptions = {}): Promise<ContainerStatsResponse> {
    return unary(this.#channel, ContainerService.containerStats, { namespace }, options);
  }

  images(namespace: string, options: CallOptions = {}): AsyncIterable<ImageListResponse> {
    return stream(this.#channel, ContainerService.imageList, { namespace }, options);
  }

  /** How far each layer is; the last answer has the name with the digest. */
  pullImage(request: ImagePullRequestInit, options: CallOptions = {}): AsyncIterable<ImagePullResponse> {
    return stream(this.#channel, ContainerService.imagePull, request, options);
  }

  /** The first request says where to; the data of all, one after the other, is the archive. */
  importImage(
    requests: AsyncIterable<ImageImportRequestInit>,
    options: CallOptions = {},
  ): Promise<ImageImportResponse> {
    const withTime = { timeoutMs: importTimeoutMs, ...options };
    return upload(this.#channel, ContainerService.imageImport, requests, withTime);
  }

  async removeImage(request: ImageRemoveRequestInit, options: CallOptions = {}): Promise<void> {
    await unary(this.#channel, ContainerService.imageRemove, request, options);
  }
}
