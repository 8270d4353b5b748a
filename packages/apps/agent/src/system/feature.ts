import { readFile } from 'node:fs/promises';

import type { ResourceDefinition } from '@nodecore/api';
import { atStart, type Controller } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';

import { bootIdOf, currentBootId } from '../boot-id.ts';
import { redactedArguments } from '../image/kernel-arguments.ts';
import type { ImagePaths } from '../image/paths.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { bootIds, extensionStatuses, kernelCommandLines } from './definitions.ts';
import { extensionSpecs, readExtensions } from './extensions.ts';

/** What does not change before the next boot: which boot it is, how the kernel was started, what the image is made of. */
export const system: Feature<undefined> = feature({
  name: 'system',
  needs: { node },
  writes: [bootIds, extensionStatuses, kernelCommandLines],
  make: ({ node: { options } }) => ({
    handle: undefined,
    controllers: [systemController(options.image, () => bootIdOf(options))],
  }),
});

/** Publishes it; when something can't be read, everything that can be is published all the same. */
export function systemController(
  image: ImagePaths | undefined,
  bootId: () => string = currentBootId,
): Controller {
  const specs: Readonly<
    Record<string, () => Promise<readonly [ResourceDefinition, ReadonlyMap<string, Json>]>>
  > = {
    boot: async () => {
      return [bootIds, new Map([['bootid', { bootId: bootId() }]])];
    },
    'kernel-command-line': async () => {
      const line = await readFile(image?.kernelCommandLine ?? '/proc/cmdline', 'utf8');
      return [kernelCommandLines, new Map([['cmdline', { cmdline: redactedArguments(line) }]])];
    },
    ...(image && {
      extensions: async () => [extensionStatuses, extensionSpecs(await readExtensions(image.extensions))],
    }),
  };
  return {
    name: 'system',
    inputs: [],
    outputs: [bootIds, extensionStatuses, kernelCommandLines].map((each) => ({
      ...kindOf(each),
      mode: 'exclusive',
    })),
    outside: atStart(...Object.keys(specs)),
    reconcile: async (item, access) => {
      const found = await specs[item]?.();
      if (found !== undefined) await access.replace(kindOf(found[0]), found[1]);
    },
  };
}
