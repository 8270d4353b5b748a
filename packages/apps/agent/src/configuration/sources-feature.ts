import { discovery } from '../discovery/feature.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { dropStrings } from '../strings.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { Platform } from './platform.ts';
import { imageSources, mergedSources } from './sources.ts';
import { machineFacts } from './url-facts.ts';

/** What the boot medium and the platform say of the node. */
export type BootConfiguration = {
  /** With secrets, and anew for each call; undefined where nothing is said, or the machine does not run our image. */
  readonly text: () => Promise<string | undefined>;
  /** Whether the platform could not be asked the last time: what it says may come yet. */
  readonly isPending: () => boolean;
};

/** The configuration that the machine is given from outside; what is on STATE comes before it. */
export const bootConfiguration: Feature<BootConfiguration> = feature({
  name: 'boot-configuration',
  needs: { node, discovery, persistence },
  make: ({ node: { options, log }, discovery: inventory, persistence: state }) => {
    const { container, image } = options;
    if (container !== undefined) {
      const source = { name: 'USERDATA', read: container.userData };
      const text = () => mergedSources([source], log).finally(() => dropStrings(log));
      return { handle: { text, isPending: () => false } };
    }
    if (image === undefined) return { handle: { text: async () => undefined, isPending: () => false } };
    const platform = new Platform({
      kernelCommandLine: image.kernelCommandLine,
      facts: machineFacts(() => (state.isOwnMachine ? state.volume.meta : undefined)),
      inventory: () => inventory.value,
    });
    const sources = imageSources(image, () => platform.read());
    return {
      handle: {
        text: async () => {
          let isAnyRead = false;
          const noted = sources.map(({ name, read }) => ({
            name,
            read: async () => {
              const before = isAnyRead;
              isAnyRead = true; // also when it fails half-way
              const text = await read();
              if (text === undefined) isAnyRead = before;
              return text;
            },
          }));
          try {
            return await mergedSources(noted, log);
          } finally {
            // Where no source says anything there is no secret, and the loop need not stand still. One that is left out was read.
            if (isAnyRead) dropStrings(log);
          }
        },
        isPending: () => platform.isPending,
      },
    };
  },
});
