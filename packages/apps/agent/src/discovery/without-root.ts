import type { Inventory } from '@nodecore/block';

/**
 * The inventory without what the running system itself lies on: read-only loop devices with a squashfs, the layers of our image.
 * They are no disks that anybody could want; as volumes they stay, so that what is mounted can be explained.
 */
export function withoutRootLayers(inventory: Inventory): Inventory {
  const layers = new Set(
    inventory.volumes
      .filter(({ id, type, name }) => type === 'disk' && /^loop\d+$/u.test(id) && name === 'squashfs')
      .map(({ id }) => id),
  );
  if (layers.size === 0) return inventory;
  return {
    ...inventory,
    disks: inventory.disks.filter((disk) => !(disk.readonly && layers.has(disk.id))),
  };
}
