import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { ServerError } from './errors.ts';
import type { CallLimits } from './limits.ts';

export type ArrivingCall = {
  readonly caller: Caller;
  readonly connection: Connection | undefined;
  /** It may take what is reserved. */
  readonly isReserved: boolean;
  /** It answers with a stream, which may last. */
  readonly isStream: boolean;
};

/** What one call has taken of a {@link CallBudget}. */
export type CallShare = {
  /** Its request is there: now it counts against the max of all callers. @throws {ServerError} when there is no room. */
  run(): void;
  /** Gives everything back. Twice is fine. */
  end(): void;
};

/**
 * How many calls are served at once. A call whose request has not come yet counts against its caller's own max only, so that
 * a caller that opens calls and sends nothing takes no share of the others.
 */
export class CallBudget {
  readonly #limits: CallLimits;
  readonly #byIdentity = new Map<string, number>();
  readonly #streams = new WeakMap<Connection, number>();
  #running = 0;
  #reserved = 0;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** Calls whose request is there. */
  get running(): number {
    return this.#running + this.#reserved;
  }

  /** @throws {ServerError} when its caller has too many already. */
  arrive({ caller, connection, isReserved, isStream }: ArrivingCall): CallShare {
    const { max, reserved, maxPerIdentity, maxStreamsPerConnection } = this.#limits;
    const { identity } = caller;
    const own = this.#byIdentity.get(identity) ?? 0;
    if (own >= maxPerIdentity) throw busy(`${maxPerIdentity} calls of yours are running`);
    const streams = connection === undefined ? 0 : (this.#streams.get(connection) ?? 0);
    if (isStream && streams >= maxStreamsPerConnection)
      throw busy(`${maxStreamsPerConnection} streams of this connection are running`);
    this.#byIdentity.set(identity, own + 1);
    if (isStream && connection !== undefined) this.#streams.set(connection, streams + 1);
    let taken: 'nothing' | 'common' | 'reserved' = 'nothing';
    let ended = false;
    return {
      run: () => {
        if (ended || taken !== 'nothing') return;
        if (this.#running < max) {
          taken = 'common';
          this.#running += 1;
        } else if (isReserved && this.#reserved < reserved) {
          taken = 'reserved';
          this.#reserved += 1;
        } else {
          throw busy(`${max} calls are running`);
        }
        if (isReserved && connection !== undefined) connection.kept += 1;
      },
      end: () => {
        if (ended) return;
        ended = true;
        const left = (this.#byIdentity.get(identity) ?? 1) - 1;
        if (left === 0) this.#byIdentity.delete(identity);
        else this.#byIdentity.set(identity, left);
        if (isStream && connection !== undefined)
          this.#streams.set(connection, (this.#streams.get(connection) ?? 1) - 1);
        if (taken === 'common') this.#running -= 1;
        if (taken === 'reserved') this.#reserved -= 1;
        if (taken !== 'nothing' && isReserved && connection !== undefined) connection.kept -= 1;
      },
    };
  }
}

function busy(why: string): ServerError {
  return new ServerError('ERR_SERVER_BUSY', why);
}
