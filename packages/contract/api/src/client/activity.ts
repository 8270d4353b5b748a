import {
  type NetstatRequestInit,
  type NetstatResponse,
  type ProcessesRequestInit,
  type ProcessesResponse,
  ProcessService,
  SocketService,
} from '../../gen/nodecore-v1.js';
import { stream } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';

/** A sample of thousands of processes or sockets. */
const sampleTimeoutMs = 30_000;

/** Calls for what runs on a node. Lives as long as the `Client` it is of. */
export class ActivityClient {
  readonly #channel: Channel;

  /** Use `Client.activity`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** Every process, once or with an interval; a sample is whole with the answer that says so. Leaving the loop ends it. */
  processes(request: ProcessesRequestInit = {}, options: CallOptions = {}): AsyncIterable<ProcessesResponse> {
    const once = (request.intervalMillis ?? 0) === 0;
    return stream(this.#channel, ProcessService.processes, request, {
      ...(once && { timeoutMs: sampleTimeoutMs }),
      ...options,
    });
  }

  /** Sockets of the node's network namespace. */
  sockets(request: NetstatRequestInit = {}, options: CallOptions = {}): AsyncIterable<NetstatResponse> {
    const withTime = { timeoutMs: sampleTimeoutMs, ...options };
    return stream(this.#channel, SocketService.netstat, request, withTime);
  }
}
