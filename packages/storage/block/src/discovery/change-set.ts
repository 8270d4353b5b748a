/** Gathers changes until somebody takes them; several become one. */
export class ChangeSet {
  #disks = new Set<string>();
  #all = false;
  #any = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

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
    this.#wake();
  }

  /** Every `wait` from now on rejects. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Whether somebody has yet to take changes. */
  get pending(): boolean {
    return this.#any;
  }

  /** Resolves as soon as there is a change, at once when there is one already. */
  async wait(): Promise<void> {
    while (!this.#any && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
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
