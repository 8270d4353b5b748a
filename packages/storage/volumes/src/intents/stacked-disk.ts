import type { Disk, Inventory } from '@nodecore/block';

/**
 * The array or multipath device that a whole disk is a part of. What is on the part is a piece or a copy of what is on the
 * whole, a partition table with the same labels for one: nothing is looked for or made on it.
 */
export function partOf(disk: Disk, inventory: Inventory | undefined): string | undefined {
  const content = inventory?.volumes.find(({ id, type }) => type === 'disk' && id === disk.id);
  const whole = inventory?.disks.find(
    ({ id }) => content?.holders.includes(id) === true && isWhole(id, inventory),
  );
  if (whole === undefined) return undefined;
  return whole.array === undefined
    ? `is a path to ${whole.id}, the multipath device ${whole.mapping?.name ?? ''}`
    : `is part of ${whole.id}, an array`;
}

function isWhole(id: string, { disks }: Inventory): boolean {
  const disk = disks.find((one) => one.id === id);
  return disk !== undefined && (disk.array !== undefined || isMultipath(disk));
}

/** Named by the WWID of the disk that all its paths lead to. */
export function isMultipath({ mapping }: Pick<Disk, 'mapping'>): boolean {
  return mapping?.maker === 'mpath';
}

/** What a device of device-mapper is, if it is not one that volumes are made on. */
export function unfitMapping({ id, mapping }: Disk): string | undefined {
  if (mapping === undefined) return id.startsWith('dm-') ? `device-mapper device; ${rule}` : undefined;
  if (isMultipath({ mapping })) return undefined;
  const { maker, name, lvm } = mapping;
  if (lvm !== undefined) return `logical volume ${lvm.volumeGroup}/${lvm.logicalVolume}; ${rule}`;
  // Also the mapping of another volume, which is blank for a moment while that volume is being made.
  if (maker === 'CRYPT') return `opened encryption ${name}; ${rule}`;
  if (/^part\d+$/.test(maker)) return `partition ${name} of a mapping; ${rule}`;
  return `device-mapper device ${name}; ${rule}`;
}

const rule = 'volumes are made on disks, arrays of md and multipath devices';

/** A name that a stacked device keeps over restarts; the kernel's `md127` and `dm-3` change hands. */
export function stackedName({ mapping, array }: Disk): string {
  if (mapping !== undefined && isMultipath({ mapping })) return mapping.uuid;
  return array === undefined || array.uuid === '' ? '' : `md-uuid-${array.uuid}`;
}

/** Whether a record names a multipath device: as long as that is not put together, none of its paths stands for it. */
export function isOnMultipath({ wwid }: { readonly wwid: string }): boolean {
  return wwid.startsWith('mpath-');
}

/** A member of an array, assembled or not. One with its superblock at the end shows the array's partition table, too. */
export function isRaidMember({ id }: Disk, { volumes }: Inventory): boolean {
  const content = volumes.find((one) => one.type === 'disk' && one.id === id);
  return content?.signatures.some(({ type }) => type.endsWith('_raid_member')) === true;
}
