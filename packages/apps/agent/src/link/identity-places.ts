import type { Clock } from '@nodecore/waiting';

import type { PersistenceError } from '../persistence/errors.ts';
import type { Meta } from '../persistence/meta.ts';
import { type IdentityPlace, inMeta, type TemporaryPlace } from './identity-place.ts';
import type { KeySealer } from './key-sealer.ts';

/** Disks that are slow to appear must not make another machine of a node at each boot. */
const graceLooks = 40;
const lookMs = 500;

export type IdentityPlacesParts = {
  readonly state: () => { readonly meta: Meta | undefined; readonly problem: PersistenceError };
  readonly clock: Pick<Clock, 'sleep'>;
  /** In memory, for a machine that is not installed yet. */
  readonly temporary: TemporaryPlace;
  readonly sealer: KeySealer;
  /** Called with why there is no identity yet. */
  readonly waits: (reason: string) => void;
};

/** Where the identity is, and for how long. */
export type PlaceForNow = { readonly place: IdentityPlace; readonly signal: AbortSignal };

/**
 * Where a machine of its own keeps who it is: META. A machine that has none, since nothing is installed, has to be known to its
 * fleet to be installed by it: its identity is in memory until there is a META, and moves there.
 *
 * More than one META, or one that can't be read, is no machine without: there is an identity, and no other is made.
 */
export async function* identityPlaces(
  { state, clock, temporary, sealer, waits }: IdentityPlacesParts,
  signal: AbortSignal,
): AsyncGenerator<PlaceForNow, void, undefined> {
  const find = async (mayGiveUp: boolean): Promise<Meta | undefined> => {
    let told = '';
    for (let looks = 0; !signal.aborted; looks += 1) {
      const { meta, problem } = state();
      if (meta !== undefined) return meta;
      const isMissing = problem.code === 'ERR_STATE_NO_SYSTEM_DISK';
      if (mayGiveUp && isMissing && looks >= graceLooks) return undefined;
      if (mayGiveUp && told !== problem.message) waits((told = problem.message));
      await clock.sleep(lookMs, signal);
    }
    return undefined;
  };
  let meta = await find(true);
  if (meta === undefined) {
    const found = new AbortController();
    const looking = find(false).finally(() => found.abort());
    looking.catch(() => {}); // it is awaited below
    yield { place: temporary, signal: AbortSignal.any([signal, found.signal]) };
    meta = await looking;
  }
  if (meta !== undefined) yield { place: inMeta(meta, { sealer, former: temporary }), signal };
}
