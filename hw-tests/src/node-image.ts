import { join } from 'node:path';

import { commandLine, cpio, type CpioEntry } from '@nodecore/image';
import { type BootSource, tickRateKhz } from '@nodecore/machine';
import { buildRelease } from '@nodecore/release';
import { fileView, View } from '@nodecore/view';

import { rigCache } from './paths.ts';
import { kernelArguments, withoutCosts } from './rig-boot.ts';

/** Our own node OS, of the release of this checkout, which is built when something has changed. */
export type NodeImage = {
  readonly kernel: View;
  readonly kernelVersion: string;
  /** The first filesystem, with the root and a layer over it. */
  readonly initrd: View;
  readonly stub: View;
  readonly commandLine: string;
};

/** How an image differs from the usual one. */
export type NodeImageOptions = {
  /** kHz of an emulated processor's counter; default measured. */
  readonly tickRate?: number | undefined;
  readonly extraArguments?: readonly string[];
  /** Squashfs files that lie between the layer and the root, by the names of extensions. */
  readonly extensions?: Readonly<Record<string, View>>;
  /** Hears of each step of a build. */
  readonly onStep?: (step: string) => void;
};

/** @param layer files that lie over the root, by their path in it */
export async function nodeImage(
  layer: Readonly<Record<string, string | Uint8Array>>,
  options: NodeImageOptions = {},
): Promise<NodeImage> {
  const { directory, release } = await buildRelease({ ...(options.onStep && { onStep: options.onStep }) });
  const file = (name: string): Promise<View> => fileView(join(directory, 'amd64', name));
  const place = '/layers/schematic/';
  const { extensions = {} } = options;
  const images = Object.entries(extensions).map(([name, content]) => {
    return { path: `/layers/extensions/${name}.sqsh`, content };
  });
  const above = [...(Object.keys(layer).length === 0 ? [] : [place]), ...images.map(({ path }) => path)];
  const initrd = View.of(
    await file('initramfs.cpio'),
    cpio([{ kind: 'file', path: 'rootfs.sqsh', content: await file('base.sqsh') }]),
    cpio([
      text('layers.list', [...above, '/rootfs.sqsh', ''].join('\n')),
      ...images.map(({ path, content }): CpioEntry => ({ kind: 'file', path, content })),
      ...Object.entries(layer).map(([path, content]) => text(`${place}${path}`, content)),
    ]),
  );
  const tickRate = 'tickRate' in options ? options.tickRate : await tickRateKhz(rigCache);
  const rig = kernelArguments(tickRate).split(' ');
  // What PID 1 and the agent say is information, which a quiet console does not show.
  const words = [...withoutCosts, ...rig.filter((word) => !/^(quiet|loglevel=.*)$/.test(word))];
  const extraArguments = [...new Set(words), 'loglevel=7', ...(options.extraArguments ?? [])];
  return {
    kernel: await file('kernel'),
    kernelVersion: release.architectures.amd64?.kernelVersion ?? '',
    initrd,
    stub: await file('stub.efi'),
    commandLine: commandLine({ platform: 'metal', extraArguments }),
  };
}

/** How a machine starts it without firmware and boot loader. @param directory where kernel and first filesystem are written */
export async function directBoot(directory: string, image: NodeImage): Promise<BootSource> {
  const [kernel, initrd] = [join(directory, 'kernel'), join(directory, 'initrd')];
  await image.kernel.writeTo(kernel);
  await image.initrd.writeTo(initrd);
  return { kind: 'kernel', kernel, initrd, arguments: image.commandLine };
}

function text(path: string, content: string | Uint8Array): CpioEntry {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { kind: 'file', path, content: View.of(bytes) };
}
