const newline = 0x0a;
/** What has no end by then is a line all the same. */
const longest = 64 << 10;

/** Where to cut at most so many bytes, and no sign of UTF-8 in two: it has up to three bytes of 10xxxxxx behind its first. */
function wholeSigns(bytes: Uint8Array, most: number): number {
  for (let cut = most; cut > most - 4; cut -= 1) if ((bytes[cut]! & 0xc0) !== 0x80) return cut;
  return most; // no UTF-8
}

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
      const cut = wholeSigns(bytes, longest);
      yield bytes.subarray(0, cut);
      bytes = bytes.subarray(cut);
    }
    this.#rest = bytes;
  }

  /** What is left, when nothing follows. */
  *end(): Generator<Uint8Array, void, undefined> {
    if (this.#rest.length > 0) yield this.#rest;
    this.#rest = Buffer.alloc(0);
  }
}
