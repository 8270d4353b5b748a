import { codeOf } from '@nodecore/sys';

import type { WipeEvent } from './wipe-event.ts';

/** How a wipe reports its progress, and learns that it shall end. */
export type WipeProgress = {
  readonly onProgress: (doneBytes: bigint) => void;
  readonly signal: AbortSignal;
};

/**
 * Yields how far a wipe is while it goes on. A reader that stops ends it, and it has ended when this has.
 *
 * @returns whether it was done; its failure is the last event.
 */
export async function* follow(
  facts: Omit<WipeEvent, 'state'>,
  signal: AbortSignal,
  begin: (options: WipeProgress) => Promise<void>,
): AsyncGenerator<WipeEvent, boolean, undefined> {
  const stopping = new AbortController();
  let doneBytes = 0n;
  let news = Promise.withResolvers<'news'>();
  const onProgress = (done: bigint): void => {
    doneBytes = done;
    news.resolve('news');
  };
  const work = begin({ onProgress, signal: AbortSignal.any([signal, stopping.signal]) });
  const ended = work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  try {
    while ((await Promise.race([news.promise, ended])) === 'news') {
      news = Promise.withResolvers();
      yield { ...facts, state: 'running', doneBytes };
    }
    const failure = await ended;
    if (failure === undefined) {
      yield { ...facts, state: 'done', doneBytes: facts.sizeBytes };
      return true;
    }
    signal.throwIfAborted();
    const { error } = failure;
    const message = error instanceof Error ? error.message : String(error);
    yield { ...facts, state: 'failed', doneBytes, code: codeOf(error) ?? 'ERR_WIPE_FAILED', message };
    return false;
  } finally {
    stopping.abort();
    await ended; // nobody writes any more
  }
}
