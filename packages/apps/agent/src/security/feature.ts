import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { securityStates } from './definitions.ts';
import { securityController } from './security.ts';

/** What of the machine keys can be bound to. */
export const security: Feature<undefined> = feature({
  name: 'security',
  needs: { node },
  writes: [securityStates],
  make: ({ node: { log } }) => ({ handle: undefined, controllers: [securityController({ log })] }),
});
