/** What is longer is cut: nobody who sends without an end fills this process. */
const longestBytes = 1 << 20;

/** Whole lines of what comes in pieces. */
export class WholeLines {
  #rest: Buffer[] = [];
  #size = 0;

  /** Those that end in a piece; what a terminal would obey is replaced. */
  take(data: Buffer): readonly string[] {
    const found: string[] = [];
    let from = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
      this.#keep(data.subarray(from, end));
      const line = Buffer.concat(this.#rest)
        .toString('utf8')
        .replaceAll(/\p{Cc}/gu, '\uFFFD');
      if (line !== '') found.push(line);
      this.#rest = [];
      this.#size = 0;
      from = end + 1;
    }
    this.#keep(data.subarray(from));
    return found;
  }

  #keep(piece: Buffer): void {
    const taken = piece.subarray(0, longestBytes - this.#size);
    if (taken.length === 0) return;
    this.#rest.push(Buffer.from(taken));
    this.#size += taken.length;
  }
}
