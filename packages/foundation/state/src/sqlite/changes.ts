import { History } from '../history.ts';
import type { Kind } from '../resource.ts';
import type { Change } from '../seen.ts';
import { StateError } from '../state-error.ts';
import type { ChangeLog } from './log.ts';

/** Changes of each kind that are also kept in memory, for the watches that are up to date. */
const memoryLimit = 1024;
/** Changes that are read from the log at once. */
const pageSize = 500;

/** What was committed, kind by kind: the newest from memory, older ones from the log. */
export class Changes {
  readonly #log: ChangeLog;
  /** Changes up to here are in the log alone. */
  readonly #openedAt: number;
  readonly #histories = new Map<string, History<Change>>();
  #revision: number;

  constructor(log: ChangeLog, revision: number) {
    this.#log = log;
    this.#openedAt = revision;
    this.#revision = revision;
  }

  /** Takes the changes of a commit, and wakes who waits for them. */
  publish(changes: readonly Change[]): void {
    this.#revision = changes.at(-1)?.revision ?? this.#revision;
    for (const change of changes) this.#of(change.resource.metadata).append(change);
  }

  /** @throws {StateError} when a watch can't begin there: `ERR_STATE_FUTURE`, `ERR_STATE_COMPACTED`. */
  check({ type }: Kind, from: number): void {
    if (from > this.#revision)
      throw new StateError('ERR_STATE_FUTURE', type, `revision ${from} has not come yet`);
    if (from < this.#log.floor) {
      throw new StateError('ERR_STATE_COMPACTED', type, `changes after ${from} are forgotten`);
    }
  }

  /**
   * Some changes after a revision, and the one up to which they are all.
   *
   * @throws {StateError} `ERR_STATE_OVERRUN` when they are forgotten.
   */
  after(kind: Kind, place: number): { readonly changes: readonly Change[]; readonly upTo: number } {
    const { lost, events } = this.#of(kind).after(place);
    if (!lost) return { changes: events, upTo: events.at(-1)?.revision ?? place };
    const changes = this.#log.read(kind, place, this.#revision, pageSize);
    if (changes === undefined)
      throw new StateError('ERR_STATE_OVERRUN', kind.type, 'too slow: changes were dropped; watch again');
    return { changes, upTo: changes.length < pageSize ? this.#revision : changes.at(-1)!.revision };
  }

  /** Resolves at the next change of the kind, or when the signal fires. */
  next(kind: Kind, signal: AbortSignal): Promise<void> {
    return this.#of(kind).next(signal);
  }

  #of({ namespace, type }: Kind): History<Change> {
    const name = `${namespace}/${type}`;
    const found = this.#histories.get(name);
    if (found !== undefined) return found;
    // Whatever of this kind was committed since the file was opened would have made it.
    const made = new History<Change>(memoryLimit, this.#openedAt);
    this.#histories.set(name, made);
    return made;
  }
}
