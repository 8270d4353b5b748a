import { Signal } from '@nodecore/waiting';

/** Gathers changes until somebody takes them; several become one. */
export class ChangeSet {
  #disks = new Set<string>();
  #all = false;
  #any = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #changed = new Signal();

  add(disk: string): void {
    this.#disks.add(disk);
    this.touch();
  }

  addAll(): void {
    this.#all = true;
    this.touch();
  }

  /** Something changed that is about no disk's content. */
  touch(): void {
    this.#any = true;
    this.#changed.notify();
  }

  /** Every `wait` from now on rejects. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#changed.notify();
  }

  /** Whether somebody has yet to take changes. */
  get pending(): boolean {
    return this.#any;
  }

  /** Resolves as soon as there is a change, at once when there is one already. */
  async wait(): Promise<void> {
    while (!this.#any && this.#failure === undefined) await this.#changed.next();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** The disks that changed since the last call; undefined when any may have. */
  take(): ReadonlySet<string> | undefined {
    const disks = this.#all ? undefined : this.#disks;
    this.#disks = new Set();
    this.#all = false;
    this.#any = false;
    return disks;
  }
}
