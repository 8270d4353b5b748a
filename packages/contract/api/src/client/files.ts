import {
  type CopyFilesRequestInit,
  type CopyFilesResponse,
  FileBatch,
  FileService,
  FileUsageBatch,
  type FileUsageRequestInit,
  type ListFilesRequestInit,
  type ReadFileRequestInit,
  type ReadFileResponse,
} from '../../gen/nodecore-v1.js';
import { stream } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';

/** Calls about the files of one node. Lives as long as the `Client` it is of. */
export class FilesClient {
  readonly #channel: Channel;

  /** Use `Client.files`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** The entries of a tree, and what could not be looked at. */
  async *list(
    request: ListFilesRequestInit,
    options: CallOptions = {},
  ): AsyncGenerator<FileBatch, void, undefined> {
    for await (const { data } of stream(this.#channel, FileService.list, request, options))
      yield FileBatch.decode(data);
  }

  /** What trees take of their disks. */
  async *usage(
    request: FileUsageRequestInit,
    options: CallOptions = {},
  ): AsyncGenerator<FileUsageBatch, void, undefined> {
    for await (const { data } of stream(this.#channel, FileService.usage, request, options))
      yield FileUsageBatch.decode(data);
  }

  /** The bytes of a file. */
  read(request: ReadFileRequestInit, options: CallOptions = {}): AsyncIterable<ReadFileResponse> {
    return stream(this.#channel, FileService.read, request, options);
  }

  /** A gzipped tar archive, and its report in the end. */
  copy(request: CopyFilesRequestInit, options: CallOptions = {}): AsyncIterable<CopyFilesResponse> {
    return stream(this.#channel, FileService.copy, request, options);
  }
}
