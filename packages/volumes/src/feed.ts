/** Passes on what an iterable yields, until the signal fires; a value that is still to come is not waited for. */
export async function feed<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  take: (value: T) => void,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  const stopped = Promise.withResolvers<{ done: true; value: undefined }>();
  const stop = (): void => stopped.resolve({ done: true, value: undefined });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const next = await Promise.race([stopped.promise, iterator.next()]);
      if (next.done === true) return;
      take(next.value);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Not awaited: a generator that waits for its next value ends only when that comes.
    iterator.return?.()?.catch(() => {});
  }
}
