import { join } from 'node:path';

import { iso } from '@nodecore/image';
import { assembleUki } from '@nodecore/uki';
import type { View } from '@nodecore/view';

import type { NodeImage } from '../src/node-image.ts';
import { systemdBoot } from './tiny-system.ts';

const imageVersion = '1.14.1';

/** A CD with the node OS, as an image factory makes it without keys, and the image for UEFI that is on it. */
export async function bootMedium(
  directory: string,
  { stub, kernel, kernelVersion, initrd, commandLine }: NodeImage,
): Promise<{ readonly file: string; readonly uki: View }> {
  const uki = await assembleUki({
    stub,
    sections: {
      osrel: `ID=nodeos\nIMAGE_ID=nodeos\nVERSION_ID=${imageVersion}\nIMAGE_VERSION=${imageVersion}\n`,
      cmdline: commandLine,
      uname: kernelVersion,
      linux: kernel,
      initrd,
    },
  });
  const file = join(directory, 'medium.iso');
  const entries = [{ imageVersion, sequence: 1, uki }];
  await iso({
    recipe: 'a CD with the node OS',
    version: `v${imageVersion}`,
    esp: { systemdBoot: await systemdBoot(), entries },
  }).writeTo(file);
  return { file, uki };
}
