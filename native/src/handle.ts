import type { AddonHandle } from './addon-handle.ts';

type Waitable = {
  /** The outcome of the wait, or false when the handle was closed first. */
  wait(): Promise<unknown>;
  close(): void;
};

/** A handle of the addon with its rules: closing twice is fine, use after close is a bug, and one waits at a time. */
export abstract class Handle<Native extends Waitable = AddonHandle> implements Disposable {
  readonly #name: string;
  #native: Native | undefined;
  #waiting = false;

  constructor(native: Native, name: string) {
    this.#native = native;
    this.#name = name;
  }

  get closed(): boolean {
    return this.#native === undefined;
  }

  /** Ends a wait. Twice is fine. */
  close(): void {
    const native = this.#native;
    this.#native = undefined;
    native?.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  protected get native(): Native {
    if (this.#native === undefined) throw new TypeError(`${this.#name} used after it was closed`);
    return this.#native;
  }

  /** True when there is something to receive, false when the handle was closed meanwhile. */
  protected async readable(): Promise<boolean> {
    return (await this.awaited()) !== undefined;
  }

  /** What the wait was answered with; undefined when the handle was closed meanwhile. */
  protected async awaited(): Promise<Exclude<Awaited<ReturnType<Native['wait']>>, false> | undefined> {
    const { native } = this;
    if (this.#waiting) throw new TypeError(`${this.#name} is being waited on already`);
    this.#waiting = true;
    try {
      const answer = (await native.wait()) as Awaited<ReturnType<Native['wait']>>;
      return answer === false || this.closed
        ? undefined
        : (answer as Exclude<Awaited<ReturnType<Native['wait']>>, false>);
    } finally {
      this.#waiting = false;
    }
  }
}
