import { readFile } from 'node:fs/promises';

import { type PressureKind, type PressureResource, pressureResources } from '@nodecore/pressure-policy';

import { CgroupError } from '../errors.ts';

/** What to wait for: so much stall within so much time. */
export type PressureCondition = {
  readonly resource: PressureResource;
  readonly kind: PressureKind;
  /** Microseconds of stall within the window, 1 to `windowUs`. */
  readonly stallUs: number;
  /** Microseconds, 500 000 to 10 000 000. */
  readonly windowUs: number;
};

/** Documentation/accounting/psi.rst: the limits of the kernel. */
const shortestUs = 500_000;
const longestUs = 10_000_000;
/** Without CAP_SYS_RESOURCE the kernel evaluates triggers along with its averages, every two seconds. */
const unprivilegedStepUs = 2_000_000;
const capSysResource = 24n;

/** @throws {CgroupError} `ERR_CGROUP_OPTION` for a condition that no kernel takes. */
export function checkCondition({ resource, kind, stallUs, windowUs }: PressureCondition, path: string): void {
  const refuse = (message: string): never => {
    throw new CgroupError('ERR_CGROUP_OPTION', path, message);
  };
  if (!pressureResources.includes(resource)) refuse(`resource is none of ${pressureResources.join(', ')}`);
  if (!['some', 'full'].includes(kind)) refuse('kind is neither some nor full');
  if (!Number.isInteger(windowUs) || windowUs < shortestUs || windowUs > longestUs) {
    refuse(`windowUs is ${windowUs}, not ${shortestUs} to ${longestUs}`);
  }
  if (!Number.isInteger(stallUs) || stallUs < 1 || stallUs > windowUs) {
    refuse(`stallUs is ${stallUs}, not 1 to windowUs (${windowUs})`);
  }
  if (resource === 'irq' && kind === 'some') refuse('irq has no some: interrupts stall whoever runs');
}

/** Whether the kernel lets this process have a trigger with such a window. */
export function mayTrigger(windowUs: number, privileged: boolean): boolean {
  return privileged || windowUs % unprivilegedStepUs === 0;
}

/** Whether this process has CAP_SYS_RESOURCE now (proc_pid_status(5)). */
export async function isPrivileged(): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'utf8');
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0';
  return ((BigInt(`0x${effective}`) >> capSysResource) & 1n) === 1n;
}
