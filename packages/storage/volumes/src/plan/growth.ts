import type { Action } from './action.ts';
import type { DeviceFacts, Facts } from '../facts/facts.ts';
import { grows, type VolumeSpec } from '../spec.ts';

/**
 * What a volume in use does to have all the room that there is by now: first the partition, then what is in it. Each
 * step may be repeated, so a crash between two is finished by the next start.
 */
export function planGrowth(spec: VolumeSpec, device: DeviceFacts, facts: Facts): Action | undefined {
  if (!grows(spec) || spec.mount?.flags.readOnly === true) return undefined;
  const { found, size } = device;
  // A partition that the kernel has smaller than the table was grown by somebody who died before he told it.
  const untold = found.partition !== undefined && size < found.size ? found.size : undefined;
  const room = device.room ?? untold;
  const { growth, pending } = facts;
  const isWanted = pending.some(({ disks }) => disks.includes(found.disk.id));
  if (room !== undefined && room !== growth.refused && !isWanted)
    return { kind: 'growPartition', size: room };
  if (growth.filled === undefined || size > growth.filled) return { kind: 'fillDevice', size };
  return undefined;
}
