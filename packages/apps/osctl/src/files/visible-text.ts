import { visibleText } from '@nodecore/cli';

/** Text of a file for a terminal, as it comes. */
export class VisibleText {
  readonly #decoder = new TextDecoder();

  next(bytes: Uint8Array): string {
    return visibleText(this.#decoder.decode(bytes, { stream: true }));
  }
}
