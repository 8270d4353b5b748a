import type {
  CgroupServiceHandlers,
  PressureRequest,
  ReadCgroupsRequest,
  WatchCgroupsRequest,
} from '@nodecore/api/cgroup';

import type { Cgroups } from './cgroups.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';

/** The node's cgroups, and who stalls. */
export function cgroupService(cgroups: Cgroups, options: HandlerOptions): CgroupServiceHandlers {
  return {
    read: streaming(options, (request: ReadCgroupsRequest, { signal }: CallContext) =>
      cgroups.read(request, signal),
    ),
    watch: streaming(options, (request: WatchCgroupsRequest, { signal }: CallContext) =>
      cgroups.watch(request, signal),
    ),
    pressure: streaming(options, (request: PressureRequest, { signal }: CallContext) =>
      cgroups.pressure(request, signal),
    ),
  };
}
