import type { ServerResponse } from 'node:http';

/**
 * Sends chunks as the client takes them: the next one is asked for when the socket has let go of the one before, so that a
 * response needs the memory of two chunks. A client that takes nothing for a while, and a source that fails in the middle,
 * end the connection: what has been sent then is visibly not all.
 *
 * @param stallMs how long a client may take nothing.
 * @returns why the source failed; undefined when it did not, or the client was gone before.
 */
export async function pump(
  chunks: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  { stallMs, onFirstByte }: { readonly stallMs: number; readonly onFirstByte: () => void },
): Promise<unknown> {
  let isFirst = true;
  try {
    for await (const chunk of chunks) {
      if (response.destroyed) return undefined;
      const isTaken = response.write(chunk);
      if (isFirst) onFirstByte();
      isFirst = false;
      if (!isTaken) await drained(response, stallMs);
    }
    response.end();
    return undefined;
  } catch (error) {
    const isGone = response.destroyed;
    response.destroy();
    return isGone ? undefined : error;
  }
}

/** Resolves when the socket takes more, or is closed. */
async function drained(response: ServerResponse, stallMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stalled = setTimeout(() => response.destroy(), stallMs);
  response.once('drain', resolve);
  response.once('close', resolve);
  if (response.destroyed) resolve();
  try {
    await promise;
  } finally {
    clearTimeout(stalled);
    response.off('drain', resolve);
    response.off('close', resolve);
  }
}
