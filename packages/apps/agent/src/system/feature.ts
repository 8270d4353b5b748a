import { readFile } from 'node:fs/promises';

import type { ResourceDefinition } from '@nodecore/api';
import { atStart, type Controller } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';

import { bootIdOf, currentBootId } from '../boot-id.ts';
import { ignoredArguments, redactedArguments } from '../image/kernel-arguments.ts';
import type { ImagePaths } from '../image/paths.ts';
import type { Log } from '../log.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import {
  bootIds,
  extensionStatuses,
  kernelCommandLines,
  systemInformations,
  versions,
} from './definitions.ts';
import { extensionSpecs, readExtensions } from './extensions.ts';
import { runningVersions, systemInformation } from './machine-facts.ts';

const written = [bootIds, extensionStatuses, kernelCommandLines, systemInformations, versions];

/** What does not change before the next boot: which boot it is, how the kernel was started, what runs and on what, what the image is made of. */
export const system: Feature<undefined> = feature({
  name: 'system',
  needs: { node },
  writes: written,
  make: ({ node: { log, options } }) => ({
    handle: undefined,
    controllers: [systemController(options.image, () => bootIdOf(options), log)],
  }),
});

/** Publishes it; when something can't be read, everything that can be is published all the same. */
export function systemController(
  image: ImagePaths | undefined,
  bootId: () => string = currentBootId,
  log?: Log,
): Controller {
  const specs: Readonly<
    Record<string, () => Promise<readonly [ResourceDefinition, ReadonlyMap<string, Json>]>>
  > = {
    boot: async () => {
      return [bootIds, new Map([['bootid', { bootId: bootId() }]])];
    },
    'kernel-command-line': async () => {
      const line = await readFile(image?.kernelCommandLine ?? '/proc/cmdline', 'utf8');
      const ignored = image === undefined ? [] : ignoredArguments(line);
      for (const name of ignored)
        log?.warn(
          { argument: name },
          'the command line of the kernel has an argument that this version does not act on',
        );
      const spec = { cmdline: redactedArguments(line), ...(ignored.length > 0 && { ignored }) };
      return [kernelCommandLines, new Map([['cmdline', spec]])];
    },
    machine: async () => {
      const said = await systemInformation();
      return [systemInformations, new Map(said && [['systeminformation', said]])];
    },
    versions: async () => [versions, await runningVersions(image?.osRelease)],
    ...(image && {
      extensions: async () => [extensionStatuses, extensionSpecs(await readExtensions(image.extensions))],
    }),
  };
  return {
    name: 'system',
    inputs: [],
    outputs: written.map((each) => ({
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
