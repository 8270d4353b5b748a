import { ArchiveError } from '../files/errors.ts';

/** Bytes that come in chunks, taken in other portions. */
export class Bytes implements AsyncDisposable {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** So many, copied. @throws {ArchiveError} when there are fewer. */
  async take(length: number): Promise<Buffer> {
    const parts = await Array.fromAsync(this.part(length));
    return Buffer.concat(parts);
  }

  async skip(length: number): Promise<void> {
    for await (const _bytes of this.part(length));
  }

  /** The next ones as they come. A second loop goes on where the first was left. */
  part(length: number): AsyncIterable<Uint8Array> {
    let left = length;
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      if (left === 0) return { done: true, value: undefined };
      if (this.#chunk.length === 0) {
        const { done, value } = await this.#source.next();
        if (done === true) throw new ArchiveError('the archive is damaged: it ends in the middle');
        this.#chunk = value;
      }
      const bytes = this.#chunk.subarray(0, left);
      this.#chunk = this.#chunk.subarray(bytes.length);
      left -= bytes.length;
      return { done: false, value: bytes };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** Reads to the end: only there an error of the source shows. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.return?.();
  }
}
