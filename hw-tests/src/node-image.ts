import { join } from 'node:path';

import { commandLine, cpio, type CpioEntry } from '@nodecore/image';
import { type BootSource, tickRateKhz } from '@nodecore/machine';
import { buildRelease } from '@nodecore/release';
import { fileView, View } from '@nodecore/view';

import { rigCache } from './paths.ts';
import { kernelArguments } from './rig-boot.ts';

/**
 * How a machine starts our own node OS without firmware or boot loader: the release of this checkout, which is built when
 * something has changed, its root and a layer over it.
 *
 * @param directory where the first filesystem is written
 * @param layer files that lie over the root, by their path in it
 */
export async function nodeImageBoot(
  directory: string,
  layer: Readonly<Record<string, string>>,
): Promise<BootSource> {
  const { directory: release } = await buildRelease();
  const at = (name: string): string => join(release, 'amd64', name);
  const place = '/layers/schematic/';
  const initrd = join(directory, 'initrd');
  await View.of(
    await fileView(at('initramfs.cpio')),
    cpio([{ kind: 'file', path: 'rootfs.sqsh', content: await fileView(at('base.sqsh')) }]),
    cpio([
      text('layers.list', `${place}\n/rootfs.sqsh\n`),
      ...Object.entries(layer).map(([path, content]) => text(`${place}${path}`, content)),
    ]),
  ).writeTo(initrd);
  const rig = kernelArguments(await tickRateKhz(rigCache)).split(' ');
  // What PID 1 and the agent say is information, which a quiet console does not show.
  const extraArguments = [...rig.filter((word) => !/^(quiet|loglevel=.*)$/.test(word)), 'loglevel=7'];
  return {
    kind: 'kernel',
    kernel: at('kernel'),
    initrd,
    arguments: commandLine({ platform: 'metal', extraArguments }),
  };
}

function text(path: string, content: string): CpioEntry {
  return { kind: 'file', path, content: View.of(Buffer.from(content)) };
}
