import { Message } from './message.ts';

export type CacheOptions = {
  /** Milliseconds; any clock that does not go back. */
  readonly now?: () => number;
  /** Answers kept; 4096 by default. The one that was asked for longest ago goes first. */
  readonly most?: number;
  /** Seconds; nothing is kept longer, whatever its owner says. An hour by default. */
  readonly longestS?: number;
  /** The same for names that are not there; five minutes by default. */
  readonly longestAbsentS?: number;
};

type Kept = { readonly answer: Message; readonly keptMs: number; readonly untilMs: number };

/** Answers larger than this are not kept: few are asked for twice. */
const largestBytes = 16_384;

function sinceStart(): number {
  return performance.now();
}

/** Answers, as long as their records say. */
export class Cache {
  readonly #kept = new Map<string, Kept>();
  readonly #options: Required<CacheOptions>;
  #hits = 0;
  #misses = 0;

  constructor(options: CacheOptions = {}) {
    this.#options = { now: sinceStart, most: 4096, longestS: 3600, longestAbsentS: 300, ...options };
  }

  get size(): number {
    return this.#kept.size;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** The answer to this question with what is left of its time; undefined when there is none. */
  find(query: Message): Buffer | undefined {
    const { key } = query;
    const kept = this.#kept.get(key);
    const now = this.#options.now();
    if (kept === undefined || now >= kept.untilMs) {
      this.#kept.delete(key);
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#kept.delete(key);
    this.#kept.set(key, kept); // the newest is last
    return kept.answer.answerTo(query, Math.floor((now - kept.keptMs) / 1000));
  }

  /** Keeps an answer, if it may be kept. */
  keep(query: Message, answer: Message): void {
    const { longestS, longestAbsentS, most, now } = this.#options;
    const isPositive = answer.records.some(({ section }) => section === 'answer');
    const lifetimeS = Math.min(answer.lifetimeS, isPositive ? longestS : longestAbsentS);
    if (lifetimeS <= 0 || answer.bytes.length > largestBytes) return;
    const keptMs = now();
    // A copy: the bytes may lie in a buffer that is used again.
    const copy = new Message(Buffer.from(answer.bytes));
    this.#kept.delete(query.key);
    this.#kept.set(query.key, { answer: copy, keptMs, untilMs: keptMs + lifetimeS * 1000 });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest);
  }

  clear(): void {
    this.#kept.clear();
  }
}
