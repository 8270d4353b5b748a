import { node } from '../node.ts';
import { dropStrings } from '../strings.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { imageSources, mergedSources } from './sources.ts';

/** What the boot medium says of the node. */
export type BootConfiguration = {
  /** With secrets, and anew for each call; undefined where nothing is said, or the machine does not run our image. */
  readonly text: () => Promise<string | undefined>;
};

/** The configuration that the boot medium carries; what is on STATE comes before it. */
export const bootConfiguration: Feature<BootConfiguration> = feature({
  name: 'boot-configuration',
  needs: { node },
  make: ({ node: { options, log } }) => ({
    handle: {
      text: async () => {
        if (options.image === undefined) return undefined;
        try {
          return await mergedSources(imageSources(options.image), log);
        } finally {
          dropStrings(log);
        }
      },
    },
  }),
});
