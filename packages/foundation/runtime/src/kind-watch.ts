import type { Kind, Resource, State } from '@nodecore/state';

/** A resource before and after a change; undefined on the side where there was, or is, none. */
export type Change = { readonly before: Resource | undefined; readonly after: Resource | undefined };

/**
 * Follows one kind for all controllers that read it. It remembers what it told: after a watch that lost events the next
 * one begins with everything, and what went meanwhile is told as gone.
 */
export class KindWatch {
  readonly #state: State;
  readonly #kind: Kind;
  readonly #changed: (change: Change) => void;
  readonly #known = new Map<string, Resource>();

  constructor(state: State, kind: Kind, changed: (change: Change) => void) {
    this.#state = state;
    this.#kind = kind;
    this.#changed = changed;
  }

  /** One watch from its beginning until the signal fires. Throws what the state throws; then it is to be called again. */
  async follow(signal: AbortSignal): Promise<void> {
    const unseen = new Set(this.#known.keys());
    for await (const events of this.#state.watch({ kind: this.#kind, bootstrap: true }, signal)) {
      for (const event of events) {
        if (event.type === 'bootstrapped') {
          for (const id of unseen) this.#tell(id, undefined);
          unseen.clear();
          continue;
        }
        const { id } = event.resource.metadata;
        unseen.delete(id);
        this.#tell(id, event.type === 'destroyed' ? undefined : event.resource);
      }
    }
  }

  #tell(id: string, after: Resource | undefined): void {
    const before = this.#known.get(id);
    // A new watch repeats what is known.
    if (before?.metadata.version === after?.metadata.version && before?.spec === after?.spec) return;
    if (after === undefined) this.#known.delete(id);
    else this.#known.set(id, after);
    this.#changed({ before, after });
  }
}
