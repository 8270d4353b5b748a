import type { DashboardClient } from '@nodecore/api/dashboard';
import { CgroupService } from '@nodecore/api/cgroup';
import { KernelLogService } from '@nodecore/api/kernel-log';
import { MachineService } from '@nodecore/api/machine';
import { ProcessService } from '@nodecore/api/process';
import { ResourceService } from '@nodecore/api/resource';
import { SupervisorService } from '@nodecore/api/service';
import { StatService } from '@nodecore/api/stat';

import type { OwnCalls } from '../server/own-calls.ts';

/** What the dashboard asks, of this node and by no network. */
export function ownClient(calls: OwnCalls): DashboardClient {
  return {
    version: (options) => calls.unary(MachineService.version, {}, options),
    mounts: (options) => calls.unary(MachineService.mounts, {}, options),
    get: (request, options) => calls.unary(ResourceService.get, request, options),
    list: (request, options) => calls.stream(ResourceService.list, request, options),
    watch: (request, options) => calls.stream(ResourceService.watch, request, options),
    dmesg: (request, options) => calls.stream(KernelLogService.dmesg, request, options),
    pressure: (request, options) => calls.stream(CgroupService.pressure, request, options),
    counters: {
      system: (options) => calls.unary(StatService.systemStat, {}, options),
      memory: (options) => calls.unary(StatService.memory, {}, options),
      loadAverage: (options) => calls.unary(StatService.loadAvg, {}, options),
      interfaces: (options) => calls.unary(StatService.networkDeviceStats, {}, options),
      disks: (options) => calls.unary(StatService.diskStats, {}, options),
    },
    activity: {
      processes: (request, options) => calls.stream(ProcessService.processes, request ?? {}, options),
    },
    services: { list: (options) => calls.unary(SupervisorService.serviceList, {}, options) },
  };
}
