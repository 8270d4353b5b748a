import { systemClock, type Clock } from '@nodecore/waiting';

import { CompareResult, CompareTarget, KV, Lease } from '../gen/etcdserverpb.js';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { get } from './kv.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';

/** Where the turn is kept. A user that may do maintenance may write it. */
const key = 'nodecore/kvstore/maintenance';
/** A holder that dies loses its turn after this time. */
const lifetimeSeconds = 60;
const renewEveryMs = 15_000;

export type LockOptions = {
  /** The holder of the turn, for the error of callers that find it taken. */
  readonly holder: string;
  readonly purpose: string;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** The turn to do maintenance: one at a time in a whole cluster. Ends with its owner, or with its lease. */
export class MaintenanceLock implements AsyncDisposable {
  readonly #kvstore: Kvstore;
  readonly #lease: bigint;
  readonly #lost = new AbortController();
  readonly #renewing = new AbortController();
  readonly #renewal: Promise<void>;

  private constructor(kvstore: Kvstore, lease: bigint, clock: Clock) {
    this.#kvstore = kvstore;
    this.#lease = lease;
    this.#renewal = this.#renew(clock);
  }

  /**
   * Takes the turn, or throws an error that names its holder. Needs a store that takes writes.
   *
   * @throws {KvstoreError} `ERR_KVSTORE_LOCKED`, or `ERR_KVSTORE_NO_SPACE` from a store that takes none.
   */
  static async acquire(kvstore: Kvstore, options: LockOptions): Promise<MaintenanceLock> {
    const { holder, purpose, clock = systemClock, signal } = options;
    const since = new Date(clock.now()).toISOString();
    const id = await lease(kvstore, signal);
    try {
      const absent = {
        key: Buffer.from(key),
        target: CompareTarget.CREATE,
        result: CompareResult.EQUAL,
        createRevision: 0n,
      };
      const value = Buffer.from(JSON.stringify({ holder, purpose, since }));
      const success = [{ requestPut: { key: Buffer.from(key), value, lease: id } }];
      const request = { compare: [absent], success };
      const { succeeded } = await kvstore.write(KV.txn, request, { signal, needsLeader: true });
      if (!succeeded) throw locked(await holderOf(kvstore, { signal }));
    } catch (error) {
      await revoke(kvstore, id); // also when the answer was lost: then the turn was ours
      throw error;
    }
    return new MaintenanceLock(kvstore, id, clock);
  }

  /** Fires when the turn may have another holder by now: the lease ended before it could be renewed. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#renewing.abort();
    await this.#renewal;
    await revoke(this.#kvstore, this.#lease);
  }

  async #renew(clock: Clock): Promise<void> {
    const { signal } = this.#renewing;
    let renewedMs = performance.now();
    while (!signal.aborted) {
      try {
        await clock.sleep(renewEveryMs, signal);
        const { ttl } = await this.#kvstore.read(Lease.leaseKeepAlive, { id: this.#lease }, { signal });
        if (ttl === 0n) return this.#lost.abort(locked(undefined));
        renewedMs = performance.now();
      } catch (error) {
        if (signal.aborted) return;
        if (!isKvstoreError(error)) return this.#lost.abort(error);
        if (performance.now() - renewedMs > lifetimeSeconds * 1000) return this.#lost.abort(error);
      }
    }
  }
}

/**
 * Rejects when the turn is taken. For a store that takes no writes, where the turn can not be taken.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_LOCKED`
 */
export async function assertUnlocked(kvstore: Kvstore, options: CallOptions = {}): Promise<void> {
  const holder = await holderOf(kvstore, options);
  if (holder !== undefined) throw locked(holder);
}

async function holderOf(kvstore: Kvstore, options: CallOptions): Promise<string | undefined> {
  const entry = await get(kvstore, key, options);
  if (entry === undefined) return undefined;
  const text = Buffer.from(entry.value).toString();
  try {
    const { holder, purpose, since } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return `${String(holder)} (${String(purpose)}, since ${String(since)})`;
  } catch {
    return text.slice(0, 100); // somebody else's words are better than none
  }
}

async function lease(kvstore: Kvstore, signal: AbortSignal | undefined): Promise<bigint> {
  try {
    const request = { ttl: BigInt(lifetimeSeconds) };
    return (await kvstore.write(Lease.leaseGrant, request, { signal, needsLeader: true })).id;
  } catch (cause) {
    if (!isKvstoreError(cause, 'ERR_KVSTORE_NO_SPACE')) throw cause;
    const message = 'the store is over its quota and can keep nobody’s turn; recover its space first';
    throw new KvstoreError('ERR_KVSTORE_NO_SPACE', 'maintenance', message, { cause });
  }
}

function locked(holder: string | undefined): KvstoreError {
  const who = holder === undefined ? 'the turn is over' : `${holder} has the turn`;
  return new KvstoreError('ERR_KVSTORE_LOCKED', 'maintenance', `${who}; try again when that is done`);
}

/** Gives the turn back. Where that fails the lease ends by itself. */
async function revoke(kvstore: Kvstore, id: bigint): Promise<void> {
  try {
    await kvstore.read(Lease.leaseRevoke, { id });
  } catch (error) {
    if (!isKvstoreError(error)) throw error;
  }
}
