import { InspectService, type ProfileResponse } from '../../gen/nodecore-v1.js';
import { stream } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';

/** Calls about the agent itself. Lives as long as the `Client` it is of. */
export class ProfilesClient {
  readonly #channel: Channel;

  /** Use `Client.profiles`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** A `.cpuprofile`, in pieces, when the time is over: 100 ms to 60 s. Needs os:admin. */
  cpu(durationMs: number, options: CallOptions = {}): AsyncIterable<ProfileResponse> {
    return stream(this.#channel, InspectService.cpuProfile, { durationMillis: durationMs }, options);
  }

  /** A `.heapsnapshot`, in pieces. The node answers nobody while it is taken. Needs os:admin. */
  heap(options: CallOptions = {}): AsyncIterable<ProfileResponse> {
    return stream(this.#channel, InspectService.heapSnapshot, {}, options);
  }
}
