import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { DatabaseFacts } from '@nodecore/sbom';
import { onAbort } from '@nodecore/waiting';

import { FactoryError } from '../errors.ts';
import type { BuildEnd, BuildWish } from './build-thread.ts';

/**
 * Makes a database in a thread of its own. The lists are its own from here on.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SCAN_DATA` and the reason; the former database stays.
 */
export async function buildInThread(wish: BuildWish, signal: AbortSignal): Promise<DatabaseFacts> {
  signal.throwIfAborted();
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`build-thread.${extension}`, import.meta.url), {
    workerData: wish,
    transferList: wish.lists.map(({ bytes }) => bytes.buffer),
    // A thread has no hooks of this one's: a program that runs from sources says so to it.
    ...(extension === 'ts' && { execArgv: ['--conditions=source'] }),
  });
  using _listener = onAbort(signal, () => void worker.terminate());
  const exited = once(worker, 'exit');
  let end: BuildEnd | undefined;
  worker.on('message', (message: BuildEnd) => (end = message));
  try {
    await exited;
  } catch (cause) {
    throw new FactoryError('ERR_FACTORY_SCAN_DATA', 'the thread that makes the database has failed', {
      cause,
    });
  }
  signal.throwIfAborted();
  if (end === undefined) throw new FactoryError('ERR_FACTORY_SCAN_DATA', 'the database was not made');
  if ('reason' in end) throw new FactoryError('ERR_FACTORY_SCAN_DATA', end.reason);
  return end.facts;
}
