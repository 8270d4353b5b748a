/** Text of a file for a terminal: lines and tabs stay, other characters that would move the cursor are escaped as in C. */
export class VisibleText {
  readonly #decoder = new TextDecoder();

  next(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    // oxlint-disable-next-line no-control-regex -- these are the ones
    return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) => {
      const code = character.codePointAt(0)!.toString(16).padStart(2, '0');
      return String.raw`\x${code}`;
    });
  }
}
