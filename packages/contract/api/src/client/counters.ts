import {
  type CpuFreqStatsResponse,
  type CpuInfoResponse,
  type DiskStatsResponse,
  type LoadAvgResponse,
  type MemoryResponse,
  type NetworkDeviceStatsResponse,
  StatService,
  type SystemStatResponse,
} from '../../gen/nodecore-v1.js';
import { unary } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';

/** Calls for the counters of a node's kernel. Lives as long as the `Client` it is of. */
export class CountersClient {
  readonly #channel: Channel;

  /** Use `Client.counters`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** `/proc/meminfo`, in its order. */
  memory(options: CallOptions = {}): Promise<MemoryResponse> {
    return unary(this.#channel, StatService.memory, {}, options);
  }

  /** What processors spent their time on, interrupts, processes. */
  system(options: CallOptions = {}): Promise<SystemStatResponse> {
    return unary(this.#channel, StatService.systemStat, {}, options);
  }

  loadAverage(options: CallOptions = {}): Promise<LoadAvgResponse> {
    return unary(this.#channel, StatService.loadAvg, {}, options);
  }

  processors(options: CallOptions = {}): Promise<CpuInfoResponse> {
    return unary(this.#channel, StatService.cpuInfo, {}, options);
  }

  frequencies(options: CallOptions = {}): Promise<CpuFreqStatsResponse> {
    return unary(this.#channel, StatService.cpuFreqStats, {}, options);
  }

  disks(options: CallOptions = {}): Promise<DiskStatsResponse> {
    return unary(this.#channel, StatService.diskStats, {}, options);
  }

  interfaces(options: CallOptions = {}): Promise<NetworkDeviceStatsResponse> {
    return unary(this.#channel, StatService.networkDeviceStats, {}, options);
  }
}
