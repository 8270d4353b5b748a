import type { ServerResponse } from 'node:http';

/** How a body is sent. */
export type Pumping = {
  /** How long a client may take nothing. */
  readonly stallMs: number;
  readonly onFirstByte: () => void;
};

/**
 * Sends chunks as the client takes them: the next one is asked for when the kernel has the one before, so that a response needs the
 * memory of one. A client that takes nothing for a while, and a source that fails in the middle, end the connection: what has been sent
 * then is visibly not all.
 *
 * @returns why the source failed; undefined when it did not, or the client was gone before.
 */
export async function pump(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  response: ServerResponse,
  { stallMs, onFirstByte }: Pumping,
): Promise<unknown> {
  let isFirst = true;
  try {
    for await (const chunk of chunks) {
      const sent = written(response, chunk, stallMs);
      if (isFirst) onFirstByte();
      isFirst = false;
      if (!(await sent)) return undefined;
    }
    response.end();
    return undefined;
  } catch (error) {
    return brokenOff(response, error);
  }
}

/** Ends the connection. @returns the error, unless the client was gone before. */
export function brokenOff(response: ServerResponse, error: unknown): unknown {
  const isGone = response.destroyed;
  response.destroy();
  return isGone ? undefined : error;
}

/**
 * Resolves when the kernel has all of a chunk; never rejects.
 *
 * @param onFree told when nobody reads the memory of the chunk any more, which may be later, or never.
 * @returns false when the connection is gone.
 */
export async function written(
  response: ServerResponse,
  chunk: Uint8Array,
  stallMs: number,
  onFree: () => void = () => {},
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const gone = (): void => resolve(false);
  const stalled = setTimeout(() => response.destroy(), stallMs);
  response.once('close', gone);
  if (response.destroyed) gone();
  // Called when the kernel has it or never will: before that, also of a connection that is gone, it may be read.
  response.write(chunk, (error) => {
    onFree();
    resolve(error === undefined || error === null);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(stalled);
    response.off('close', gone);
  }
}
