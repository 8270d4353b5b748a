import { type Clock, type Rate, TokenBucket } from '@nodecore/waiting';

/** How often one node, and one address, may call. */
export type Limits = { readonly node: Rate; readonly peer: Rate };

/** A node with thirty volumes that starts, and a rack of nodes behind one address that all start at once. */
export const defaultLimits: Limits = {
  node: { burst: 60, perSecond: 1 },
  peer: { burst: 1_000, perSecond: 50 },
};

/** `refused`: calls that were refused since the last one that was not. */
export type Turn = { readonly allowed: boolean; readonly refused: number };

type Bucket = { readonly tokens: TokenBucket; refused: number };

/** Names that are remembered; a full bucket is not. */
const maxBuckets = 50_000;

/** A token bucket for every name. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, clock: Pick<Clock, 'now'>) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Takes a token of this name's bucket, if there is one. */
  take(name: string): Turn {
    const now = this.#clock.now();
    const bucket = this.#bucket(name, now);
    const allowed = bucket.tokens.take(now);
    if (!allowed) bucket.refused += 1;
    const { refused } = bucket;
    if (allowed) bucket.refused = 0;
    return { allowed, refused };
  }

  #bucket(name: string, now: number): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket !== undefined) return bucket;
    if (this.#buckets.size >= maxBuckets) this.#forget(now);
    const fresh = { tokens: new TokenBucket(this.#rate, now), refused: 0 };
    this.#buckets.set(name, fresh);
    return fresh;
  }

  /** Full buckets say nothing. When none is full, the oldest tenth goes: memory has an end, and so has a flood. */
  #forget(now: number): void {
    for (const [name, { tokens }] of this.#buckets) if (tokens.isFull(now)) this.#buckets.delete(name);
    const surplus = this.#buckets.size - maxBuckets * 0.9;
    for (const name of [...this.#buckets.keys()].slice(0, Math.max(0, surplus))) this.#buckets.delete(name);
  }
}
