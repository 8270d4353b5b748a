import type { State } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import type { Authenticate } from '../server/guard.ts';
import { nobody } from './caller.ts';

/** The one door: who signed a call. A call without a signature is nobody's. */
export function authenticator(_options: { readonly state: State; readonly clock: Clock }): Authenticate {
  return () => Promise.resolve(nobody);
}
