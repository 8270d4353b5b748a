import { join } from 'node:path';

import type { PressureResource } from '@nodecore/pressure-policy';

/** Whose pressure: the machine's, or that of the cgroup at a directory. */
export type PressureTarget = 'system' | { readonly cgroup: string };

/** The path of a PSI file, `/proc/pressure/*` or `*.pressure`; it may not exist: `irq` came with Linux 6.1. */
export function pressureFile(target: PressureTarget, resource: PressureResource): string {
  return target === 'system' ? join('/proc/pressure', resource) : join(target.cgroup, `${resource}.pressure`);
}
