import type { ServerResponse } from 'node:http';

import type { ByteRange } from '@nodecore/oci';
import type { View } from '@nodecore/view';
import { LoopTurns } from '@nodecore/waiting';

import { bufferBytes, Buffers } from './buffers.ts';
import { brokenOff, type Pumping, written } from './pump.ts';

/** A client below this has little memory, however many there are of it; a megabyte a second. */
const slowBytesPerMs = 1_000;
const slowBytes = 32 * 1024;

const buffers = new Buffers();
/**
 * Of all downloads, a few in each turn of the loop, which take about a millisecond. A turn takes one new connection, or few: were it as long
 * as all downloads have parts ready, who comes next would wait for seconds.
 */
const parts = new LoopTurns(4);

/**
 * Sends a range of a view as the client takes it. The next part is read while the one before is on its way, so that a response needs
 * the memory of two; of a slow client it is read afterwards, and is smaller.
 *
 * @returns as `pump`.
 */
export async function sendView(
  view: View,
  { start, end }: ByteRange,
  response: ServerResponse,
  { stallMs, onFirstByte }: Pumping,
): Promise<unknown> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const memory = new Memory();
  let left = end - start;
  let isFirst = true;
  let onItsWay = Promise.resolve(true);
  try {
    await parts.take(); // before memory is lent
    for await (const chunk of view.stream({
      start,
      end,
      chunkBytes: bufferBytes,
      signal: gone.signal,
      room: memory.room,
    })) {
      if (!(await onItsWay)) return undefined;
      onItsWay = memory.send(chunk, (onFree) => written(response, chunk, stallMs, onFree));
      if (isFirst) onFirstByte();
      isFirst = false;
      if (memory.isSlow) await onItsWay;
      left -= chunk.length;
      if (left > 0) await parts.take();
    }
    if (await onItsWay) response.end();
    return undefined;
  } catch (error) {
    return brokenOff(response, error);
  } finally {
    memory.release();
  }
}

/** What a response lends of the memory of all. */
class Memory {
  /** Of the chunk that is read, or was. */
  #next: Buffer | undefined;
  /** In place of it for who is slow: one part at a time. */
  #small: Buffer | undefined;
  isSlow = false;

  readonly room = (sizeBytes: number): Uint8Array => {
    if (this.isSlow) return (this.#small ??= Buffer.allocUnsafeSlow(slowBytes)).subarray(0, sizeBytes);
    this.#next = buffers.lend();
    return this.#next.subarray(0, sizeBytes);
  };

  /** Gives the memory of a chunk back when it has been sent. */
  async send(chunk: Uint8Array, write: (onFree: () => void) => Promise<boolean>): Promise<boolean> {
    const lent = this.#next;
    this.#next = undefined;
    const started = performance.now();
    const isSent = await write(() => {
      if (lent !== undefined) buffers.giveBack(lent);
    });
    this.isSlow = chunk.length < slowBytesPerMs * (performance.now() - started);
    return isSent;
  }

  /** What was read and not sent. */
  release(): void {
    if (this.#next !== undefined) buffers.giveBack(this.#next);
  }
}
