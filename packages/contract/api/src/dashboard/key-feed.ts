import { type Key, KeyReader } from './keys.ts';

/** What belongs to one key comes within this time, also over a slow line. */
const escapeMs = 60;

/** Tells the keys of what a terminal sends; Escape, with which others begin, too, when nothing more has come. */
export class KeyFeed implements Disposable {
  readonly #onKey: (key: Key) => void;
  readonly #isTyping: () => boolean;
  readonly #keys = new KeyReader();
  #escape: NodeJS.Timeout | undefined;

  /** @param isTyping asked before each key: whether characters are a text, and not keys. */
  constructor(onKey: (key: Key) => void, isTyping: () => boolean = () => false) {
    this.#onKey = onKey;
    this.#isTyping = isTyping;
  }

  push(bytes: Uint8Array): void {
    clearTimeout(this.#escape);
    for (const key of this.#keys.next(bytes, this.#isTyping)) this.#onKey(key);
    if (!this.#keys.isWaiting) return;
    // A terminal sends all of one key at once.
    this.#escape = setTimeout(() => {
      for (const key of this.#keys.flush(this.#isTyping)) this.#onKey(key);
    }, escapeMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#escape);
  }
}
