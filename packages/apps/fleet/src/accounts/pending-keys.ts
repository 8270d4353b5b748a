import type { VerifyingKey } from '@nodecore/authv1';
import type { FleetRole } from '@nodecore/fleet-api';
import { type Clock, onAbort } from '@nodecore/waiting';

import { FleetError } from '../errors.ts';

/** A key that signs nothing yet. */
export type PendingKey = { readonly key: VerifyingKey; readonly identity: string; readonly role: FleetRole };

type Entry = PendingKey & {
  readonly sinceMs: number;
  readonly address: string;
  readonly confirmed: PromiseWithResolvers<void>;
};

const maxPending = 1000;
const maxPerAddress = 20;
const lifetimeMs = 10 * 60_000;

/**
 * Keys that nobody has confirmed. They are in memory alone, and few: a flood of them fills neither its store nor the
 * places of others.
 */
export class PendingKeys {
  readonly #byId = new Map<string, Entry>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param address without a port. @throws {FleetError} `ERR_FLEET_LIMIT`. */
  add(pending: PendingKey, address: string): void {
    this.#forgetOld();
    const { keyId } = pending.key;
    const entries = [...this.#byId.values()].filter(({ key }) => key.keyId !== keyId);
    const own = entries.filter((entry) => entry.address === address).length;
    if (entries.length >= maxPending || own >= maxPerAddress)
      throw new FleetError('ERR_FLEET_LIMIT', 'too many keys wait to be confirmed: try again in ten minutes');
    if (this.#byId.has(keyId)) return; // a caller that waits for it goes on waiting
    const confirmed = Promise.withResolvers<void>();
    this.#byId.set(keyId, { ...pending, address, confirmed, sinceMs: this.#clock.now() });
  }

  /** Undefined when it is not there, or not any more. */
  get(keyId: string): PendingKey | undefined {
    this.#forgetOld();
    return this.#byId.get(keyId);
  }

  /** The key signs from now on: who waits is told. */
  confirmed(keyId: string): void {
    this.#byId.get(keyId)?.confirmed.resolve();
    this.#byId.delete(keyId);
  }

  /** Resolves to whether it was confirmed; rejects with the reason of the signal. */
  async wait(keyId: string, signal: AbortSignal): Promise<boolean> {
    const entry = this.#byId.get(keyId);
    if (entry === undefined) return false;
    const { promise, reject } = Promise.withResolvers<never>();
    using _listener = onAbort(signal, () => reject(signal.reason as Error));
    await Promise.race([entry.confirmed.promise, promise]);
    return true;
  }

  #forgetOld(): void {
    const oldest = this.#clock.now() - lifetimeMs;
    for (const [keyId, { sinceMs }] of this.#byId) if (sinceMs < oldest) this.#byId.delete(keyId);
  }
}
