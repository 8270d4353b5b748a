import { type Feature, feature, given } from '../supervisor/feature.ts';
import type { StateDirectory } from './state-directory.ts';
import { StateSource } from './state-source.ts';

/** Where the node remembers on a host that is not ours; undefined where the machine is its own. */
export const hostDirectory: Feature<StateDirectory | undefined> = given('host directory');

/** Where the node remembers. On a machine of its own it is there when STATE is. */
export const persistence: Feature<StateSource> = feature({
  name: 'persistence',
  needs: { hostDirectory },
  make: ({ hostDirectory: directory }) => ({ handle: new StateSource(directory) }),
});
