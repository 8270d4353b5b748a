const newline = 0x0a;
/** What has no end by then is a line all the same. */
const longest = 64 << 10;

/** Makes lines of bytes that come in pieces. */
export class Lines {
  #rest: Buffer = Buffer.alloc(0);

  /** Whole lines, without their ends. */
  *add(data: Uint8Array): Generator<Uint8Array, void, undefined> {
    let bytes = this.#rest.length === 0 ? Buffer.from(data) : Buffer.concat([this.#rest, data]);
    for (;;) {
      const end = bytes.indexOf(newline);
      if (end < 0) break;
      yield bytes.subarray(0, end);
      bytes = bytes.subarray(end + 1);
    }
    while (bytes.length > longest) {
      yield bytes.subarray(0, longest);
      bytes = bytes.subarray(longest);
    }
    this.#rest = bytes;
  }

  /** What is left, when nothing follows. */
  *end(): Generator<Uint8Array, void, undefined> {
    if (this.#rest.length > 0) yield this.#rest;
    this.#rest = Buffer.alloc(0);
  }
}
