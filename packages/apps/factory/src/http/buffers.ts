/** As much as is read at once: 256 KiB cost a quarter more of a processor, most of it for threads; 512 KiB take too much memory. */
export const bufferBytes: number = 384 * 1024;

/** How many are kept for who comes next. */
const mostIdle = 256;

/**
 * Memory that downloads lend and give back. What each chunk had of its own the collector would find late, when the process has grown by
 * it long since.
 */
export class Buffers {
  readonly #idle: Buffer[] = [];

  lend(): Buffer {
    return this.#idle.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
  }

  /** Of memory that nobody reads or writes any more. What never comes back is the collector's. */
  giveBack(buffer: Buffer): void {
    if (this.#idle.length < mostIdle) this.#idle.push(buffer);
  }
}
