import type { TimeRequest, TimeResponseInit, TimeServiceHandlers } from '@nodecore/api/time';

import { type CallContext, type HandlerOptions, unary } from '../server/handlers.ts';
import { type CheckedTime, checkTime } from './check-time.ts';

export type TimeParts = {
  /** Whom to ask where the caller names nobody. */
  readonly usual: () => string;
  readonly check?: (server: string, options: { readonly signal: AbortSignal }) => Promise<CheckedTime>;
};

/** The clock of the node beside another one, for callers. */
export function timeHandlers(
  { usual, check = checkTime }: TimeParts,
  options: HandlerOptions,
): TimeServiceHandlers {
  return {
    time: unary(
      options,
      async ({ server }: TimeRequest, { signal }: CallContext): Promise<TimeResponseInit> => {
        const { localMicros, remoteMicros, offsetMicros, roundTripMicros, ...same } = await check(
          server === '' ? usual() : server,
          { signal },
        );
        return {
          ...same,
          // A clock without a battery may stand before 1970.
          localMicros: BigInt(Math.max(0, localMicros)),
          remoteMicros: BigInt(Math.max(0, remoteMicros)),
          offsetMicros: BigInt(offsetMicros),
          roundTripMicros: BigInt(roundTripMicros),
        };
      },
    ),
  };
}
