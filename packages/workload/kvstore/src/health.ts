import { KV } from '../gen/etcdserverpb.js';
import { isKvstoreError, type KvstoreError } from './errors.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';
import { status } from './status.ts';

/** Whether a member serves, with a majority behind it. */
export type Health = {
  readonly isHealthy: boolean;
  /** How long the read took that needs a majority. */
  readonly tookMs: number;
  /** What is wrong, for people; empty when nothing is. */
  readonly problems: readonly string[];
  /** Why the read failed. */
  readonly error: KvstoreError | undefined;
};

/** Any key will do; it need not exist. */
const probedKey = 'health';

/** Has the member at an endpoint read a key as of now, for which it needs the leader and a majority, and asks for its errors. */
export async function health(kvstore: Kvstore, endpoint: string, options: CallOptions = {}): Promise<Health> {
  const started = performance.now();
  const error = await probe(kvstore, endpoint, options);
  const tookMs = performance.now() - started;
  if (error !== undefined) return { isHealthy: false, tookMs, problems: [error.message], error };
  const { errors: problems } = await status(kvstore, endpoint, options);
  return { isHealthy: problems.length === 0, tookMs, problems, error };
}

async function probe(
  kvstore: Kvstore,
  endpoint: string,
  options: CallOptions,
): Promise<KvstoreError | undefined> {
  try {
    const request = { key: Buffer.from(probedKey), keysOnly: true };
    await kvstore.at(endpoint, KV.range, request, { needsLeader: true, ...options });
    return undefined;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isKvstoreError(error, 'ERR_KVSTORE_DENIED')) return undefined; // a majority agreed that we may not read it
    if (isKvstoreError(error)) return error;
    throw error;
  }
}
