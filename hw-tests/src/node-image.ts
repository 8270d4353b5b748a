import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type BootSource, tickRateKhz } from '@nodecore/machine';
import { type ArchiveFile, buildRelease, cpioArchive } from '@nodecore/release';

import { rigCache } from './paths.ts';
import { kernelArguments } from './rig-boot.ts';

/**
 * How a machine starts our own node OS without firmware or boot loader: the release of this checkout, which is built when
 * something has changed, its root and a layer over it.
 *
 * @param directory where the first filesystem is written
 * @param layer files that lie over the root, by their path without the slash at the beginning
 */
export async function nodeImageBoot(directory: string, layer: readonly ArchiveFile[]): Promise<BootSource> {
  const { directory: release } = await buildRelease();
  const root = await readFile(join(release, 'amd64', 'base.sqsh'));
  const place = 'layers/schematic/';
  const parts = [
    await readFile(join(release, 'amd64', 'initramfs.cpio')),
    cpioArchive([{ path: 'rootfs.sqsh', mode: 0o644, content: root }]),
    cpioArchive([
      { path: 'layers.list', mode: 0o644, content: Buffer.from(`/${place}\n/rootfs.sqsh\n`) },
      ...layer.map((file) => ({ ...file, path: `${place}${file.path}` })),
    ]),
  ];
  const initrd = join(directory, 'initrd');
  await writeFile(initrd, Buffer.concat(parts));
  const tickRate = await tickRateKhz(rigCache);
  return {
    kind: 'kernel',
    kernel: join(release, 'amd64', 'kernel'),
    initrd,
    arguments: `${kernelArguments(tickRate)} loglevel=7 os.platform=metal`,
  };
}
