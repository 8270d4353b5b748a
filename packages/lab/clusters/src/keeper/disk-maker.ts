import { type BootImage, isInstaller, isOnDisk } from '../boot-image.ts';
import { copyDiskImage, type DiskShape } from '../disk-copy.ts';
import type { PlannedNode } from '../plan.ts';

/**
 * What makes the system disk of a machine, where it is not there.
 *
 * @param fetch gives a file with the raw image of a URL.
 */
export function diskMaker(
  image: BootImage,
  { uuid }: PlannedNode,
  fetch: (url: string) => Promise<string>,
): (path: string, shape: DiskShape) => Promise<void> {
  return async (path, shape) => {
    if (isInstaller(image)) return; // blank, so that nothing is lost by an installation
    if (!isOnDisk(image)) {
      const { makeSystemDisk } = await import('../system-disk.ts');
      return await makeSystemDisk(path, shape, uuid);
    }
    await copyDiskImage('url' in image ? await fetch(image.url) : image.path, path, shape);
  };
}
