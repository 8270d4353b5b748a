import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

import type { Store } from '@nodecore/state';
import { aborted } from '@nodecore/waiting';

import { hostnameOf, setHostname, unnamed } from '../image/hostname.ts';
import { kernelArguments, redactedArguments } from '../image/kernel-arguments.ts';
import type { ImagePaths } from '../image/paths.ts';
import type { Log } from '../log.ts';
import { node } from '../node.ts';
import { firmwareUuid } from '../persistence/machine-uuid.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { bootIds, extensionStatuses, kernelCommandLines } from './definitions.ts';
import { extensionSpecs, readExtensions } from './extensions.ts';

const owner = 'system';

/** What does not change before the next boot: which boot it is, how the kernel was started, what the image is made of. */
export const system: Feature<undefined> = feature({
  name: 'system',
  needs: { node },
  writes: [bootIds, extensionStatuses, kernelCommandLines],
  make: ({ node: { options, store, log } }) => ({
    handle: undefined,
    run: async (signal) => {
      await publishSystem({ store, ...(options.image && { image: options.image }) });
      if (options.image !== undefined) await nameMachine(log, options.image);
      await aborted(signal);
    },
  }),
});

export type SystemParts = {
  readonly store: Store;
  readonly image?: ImagePaths;
  /** /proc/sys/kernel/random/boot_id */
  readonly bootId?: string;
};

/** Publishes it. @throws {Error} what can't be read; everything that can be is published before. */
export async function publishSystem({
  store,
  image,
  bootId = '/proc/sys/kernel/random/boot_id',
}: SystemParts): Promise<void> {
  const line = await readFile(image?.kernelCommandLine ?? '/proc/cmdline', 'utf8');
  const boot = (await readFile(bootId, 'utf8')).trim();
  store.replace(kindOf(bootIds), new Map([['bootid', { bootId: boot }]]), owner);
  store.replace(
    kindOf(kernelCommandLines),
    new Map([['cmdline', { cmdline: redactedArguments(line) }]]),
    owner,
  );
  if (image === undefined) return;
  store.replace(kindOf(extensionStatuses), extensionSpecs(await readExtensions(image.extensions)), owner);
}

/** A machine that nobody has named gets the name that the kernel's command line has for it, or one of its own. */
async function nameMachine(log: Log, { kernelCommandLine }: ImagePaths): Promise<void> {
  if (!unnamed.has(hostname())) return;
  const wanted = kernelArguments(await readFile(kernelCommandLine, 'utf8')).get('os.hostname');
  const name = wanted ?? hostnameOf((await firmwareUuid()) ?? '');
  await setHostname(name);
  log.info({ name }, 'the machine has a name');
}
