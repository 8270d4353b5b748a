import { isKvstoreError, type Rehearsal } from '@nodecore/kvstore';
import { codeOf } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';

export type RehearsalsParts = {
  readonly log: Log;
  readonly clock: Clock;
  /** Starts a member with a copy of a snapshot; rejects when it can't be gone back to. */
  readonly rehearse: (file: string, signal: AbortSignal) => Promise<Rehearsal>;
};

/** How the last rehearsal went, and when one succeeded last. */
export type RehearsalState = {
  readonly atMs: number;
  readonly file: string;
  /** Why the last one failed; undefined when it did not. */
  readonly failure: { readonly code: string | undefined; readonly message: string } | undefined;
  /** When a snapshot was proven restorable last; undefined when none was since the agent began. */
  readonly provenMs: number | undefined;
  /** What the last successful one took, from the file to a member that answers. */
  readonly recoveryMs: number | undefined;
};

/** Proofs that the node's own snapshots can be gone back to, not too often: each costs what a recovery costs. */
export class Rehearsals {
  readonly #parts: RehearsalsParts;
  #state: RehearsalState | undefined;

  constructor(parts: RehearsalsParts) {
    this.#parts = parts;
  }

  get state(): RehearsalState | undefined {
    return this.#state;
  }

  /** Rehearses a new snapshot, unless one was proven less than the interval ago. Rejects with `signal.reason` alone. */
  async follow(file: string, intervalMs: number | undefined, signal: AbortSignal): Promise<void> {
    const { log, clock, rehearse } = this.#parts;
    const atMs = clock.now();
    const provenMs = this.#state?.provenMs;
    // A clock that was set back must not keep us from ever proving anything.
    const isFresh =
      provenMs !== undefined && intervalMs !== undefined && Math.abs(atMs - provenMs) < intervalMs;
    if (intervalMs === undefined || isFresh) return;
    try {
      const { restoreMs, startMs, version } = await rehearse(file, signal);
      const recoveryMs = restoreMs + startMs;
      this.#state = { atMs, file, failure: undefined, provenMs: atMs, recoveryMs };
      log.info({ file, recoveryMs, version }, 'a snapshot of the kvstore was proven restorable');
    } catch (error) {
      signal.throwIfAborted();
      if (!isKvstoreError(error)) throw error;
      const { code, message } = error;
      this.#state = { atMs, file, failure: { code, message }, provenMs, recoveryMs: this.#state?.recoveryMs };
      log.warn(
        { code: codeOf(error), err: error, file },
        'a snapshot of the kvstore could not be gone back to',
      );
    }
  }
}
