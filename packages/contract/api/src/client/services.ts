import {
  type LogsContainersResponse,
  type LogsRequestInit,
  type LogsResponse,
  type ServiceListResponse,
  type ServiceRestartRequestInit,
  type ServiceRestartResponse,
  type ServiceStartResponse,
  type ServiceStopResponse,
  SupervisorService,
} from '../../gen/nodecore-v1.js';
import { stream, unary } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';

/** A service has 30 s to end. */
const endTimeoutMs = 60_000;

/** Calls to the services of one node. Lives as long as the `Client` it is of. */
export class ServicesClient {
  readonly #channel: Channel;

  /** Use `Client.services`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  list(options: CallOptions = {}): Promise<ServiceListResponse> {
    return unary(this.#channel, SupervisorService.serviceList, {}, options);
  }

  start(id: string, options: CallOptions = {}): Promise<ServiceStartResponse> {
    return unary(this.#channel, SupervisorService.serviceStart, { id }, options);
  }

  stop(id: string, options: CallOptions = {}): Promise<ServiceStopResponse> {
    return unary(
      this.#channel,
      SupervisorService.serviceStop,
      { id },
      { timeoutMs: endTimeoutMs, ...options },
    );
  }

  restart(request: ServiceRestartRequestInit, options: CallOptions = {}): Promise<ServiceRestartResponse> {
    const withTime = { timeoutMs: endTimeoutMs, ...options };
    return unary(this.#channel, SupervisorService.serviceRestart, request, withTime);
  }

  /** What a service printed, in the order of its offsets. */
  logs(request: LogsRequestInit, options: CallOptions = {}): AsyncIterable<LogsResponse> {
    return stream(this.#channel, SupervisorService.logs, request, options);
  }

  /** What {@link logs} knows: services, and logs of the system itself. */
  logsContainers(options: CallOptions = {}): Promise<LogsContainersResponse> {
    return unary(this.#channel, SupervisorService.logsContainers, {}, options);
  }
}
