import { type Clock, systemClock } from '@nodecore/waiting';

import { Cache } from './cache.ts';
import { type DnsErrorCode, DnsError } from './errors.ts';
import { codes, type Message } from './message.ts';
import type { Upstream } from './upstream.ts';

export type ForwarderOptions = {
  readonly cache?: Cache;
  readonly clock?: Clock;
  /** One upstream gets so long before the next is asked; 2 s by default. */
  readonly patienceMs?: number;
};

/** How an upstream has been doing. */
export type UpstreamHealth = {
  readonly name: string;
  readonly isHealthy: boolean;
  readonly answers: number;
  readonly failures: number;
  /** Since the last answer. */
  readonly failuresInRow: number;
  readonly lastError: { readonly code: DnsErrorCode; readonly message: string } | undefined;
};

class Member {
  readonly upstream: Upstream;
  answers = 0;
  failures = 0;
  failuresInRow = 0;
  lastError: DnsError | undefined;
  /** Until then it is asked after the others. */
  restsUntilMs = 0;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }
}

const longestRestMs = 60_000;

/**
 * Forwards questions to upstreams in their order. One that fails rests: the others are asked before it until it answers again.
 * Questions that are asked while the same one is under way get its answer.
 */
export class Forwarder implements AsyncDisposable {
  readonly cache: Cache;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #underWay = new Map<string, Promise<Message>>();
  #members: readonly Member[] = [];

  constructor({ cache = new Cache(), clock = systemClock, patienceMs = 2000 }: ForwarderOptions = {}) {
    this.cache = cache;
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** Asks these from now on. What was learned of others is forgotten, and they are closed. */
  async use(upstreams: readonly Upstream[]): Promise<void> {
    const former = this.#members;
    this.#members = upstreams.map((upstream) => new Member(upstream));
    this.cache.clear();
    await Promise.all(former.map(({ upstream }) => upstream[Symbol.asyncDispose]()));
  }

  get health(): readonly UpstreamHealth[] {
    const now = this.#clock.now();
    return this.#members.map(({ upstream, answers, failures, failuresInRow, lastError, restsUntilMs }) => ({
      name: upstream.name,
      isHealthy: now >= restsUntilMs || failuresInRow === 0,
      answers,
      failures,
      failuresInRow,
      lastError: lastError && { code: lastError.code, message: lastError.message },
    }));
  }

  /**
   * The bytes of an answer to the question.
   *
   * @throws {DnsError} of the last upstream that was asked, when none has an answer.
   */
  async answer(query: Message): Promise<Buffer> {
    const kept = this.cache.find(query);
    if (kept !== undefined) return kept;
    const { key } = query;
    let asking = this.#underWay.get(key);
    if (asking === undefined) {
      asking = this.#ask(query).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, asking);
    }
    return (await asking).answerTo(query);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.use([]);
  }

  async #ask(query: Message): Promise<Message> {
    let failure = new DnsError('ERR_DNS_NO_UPSTREAM', 'there is no upstream to ask');
    let refusal: Message | undefined;
    for (const member of this.#inOrder()) {
      try {
        const answer = await this.#askOne(member, query);
        this.#rested(member);
        if (answer.code === codes.none || answer.code === codes.nameError) {
          this.cache.keep(query, answer);
          return answer;
        }
        // Alive, but of no use for this question: another one may know more.
        refusal ??= answer;
      } catch (error) {
        if (!(error instanceof DnsError)) throw error;
        failure = error;
        this.#failed(member, error);
      }
    }
    if (refusal !== undefined) return refusal;
    throw failure;
  }

  async #askOne({ upstream }: Member, query: Message): Promise<Message> {
    const limit = new AbortController();
    const over = new AbortController();
    const late = new DnsError(
      'ERR_DNS_TIMEOUT',
      `${upstream.name} does not answer in ${this.#patienceMs} ms`,
    );
    this.#clock.sleep(this.#patienceMs, over.signal).then(
      () => limit.abort(late),
      () => {}, // answered in time
    );
    try {
      return await upstream.ask(query, limit.signal);
    } finally {
      over.abort();
    }
  }

  /** Those that rest come last, the one first that has rested longest. */
  #inOrder(): readonly Member[] {
    const now = this.#clock.now();
    const rests = ({ restsUntilMs }: Member): number => (restsUntilMs > now ? restsUntilMs : 0);
    return [...this.#members].sort((a, b) => rests(a) - rests(b));
  }

  #rested(member: Member): void {
    member.answers++;
    member.failuresInRow = 0;
    member.restsUntilMs = 0;
  }

  #failed(member: Member, error: DnsError): void {
    member.failures++;
    member.failuresInRow++;
    member.lastError = error;
    const restMs = Math.min(longestRestMs, 1000 * 2 ** Math.min(member.failuresInRow, 10));
    member.restsUntilMs = this.#clock.now() + restMs;
  }
}
