import { type Configuration, scrubIntervalMs } from '@nodecore/config';
import { fieldsOf } from '@nodecore/state';

import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { mountStatuses } from '../volumes/definitions.ts';
import { scrubStatuses } from './definitions.ts';
import { scrubFilesystem } from './scrub.ts';
import { type IntervalOf, Scrubs, type ScrubTarget } from './scrubs.ts';

/** Checks of xfs filesystems while they are in use. */
export const scrubs: Feature<undefined> = feature({
  name: 'scrubs',
  needs: { node, persistence },
  reads: [mountStatuses],
  writes: [scrubStatuses],
  make: ({ node: { store, clock, log }, persistence: state }) => {
    const targets = (): readonly ScrubTarget[] =>
      store.list(kindOf(mountStatuses)).resources.flatMap(({ metadata, spec }) => {
        const { filesystem, target, phase } = fieldsOf(spec);
        const isIt = filesystem === 'xfs' && phase === 'mounted' && typeof target === 'string';
        return isIt ? [{ volume: metadata.id, target }] : [];
      });
    const all = new Scrubs({
      clock,
      log,
      targets,
      scrub: (target, signal) => scrubFilesystem(target, signal),
      file: () => state.path('scrubs.json'),
      publish: (statuses) => store.replace(kindOf(scrubStatuses), statuses, 'scrubs'),
    });
    return {
      handle: undefined,
      run: (signal) => all.run(signal),
      configure: ({ configuration }) => all.configure(intervalsOf(configuration)),
    };
  },
});

/** What each volume says of its checks, over what the document for all says. */
function intervalsOf(configuration: Configuration): IntervalOf {
  const globalMs = configuration.get('FilesystemScrubConfig')?.interval.ms;
  const own = new Map(
    configuration.volumes.map((volume) => [volume.id, 'scrub' in volume ? volume.scrub : undefined]),
  );
  return (volume) => scrubIntervalMs(own.get(volume), globalMs);
}
