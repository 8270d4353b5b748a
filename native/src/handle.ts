import type { AddonHandle } from './addon.ts';

/** A handle of the addon with its rules: closing twice is fine, use after close is a bug, and one waits at a time. */
export abstract class Handle<Native extends AddonHandle> implements Disposable {
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
    const { native } = this;
    if (this.#waiting) throw new TypeError(`${this.#name} is being waited on already`);
    this.#waiting = true;
    try {
      return (await native.wait()) && !this.closed;
    } finally {
      this.#waiting = false;
    }
  }
}
