import { createHmac, randomBytes } from 'node:crypto';

import { addressGroup } from '@nodecore/listener';

import { FactoryError } from '../errors.ts';

const rememberedMs = 60_000;
const maxRemembered = 10_000;
/** So many failures of an address in a minute, and it waits for the next one. */
const maxFailures = 20;

type Failures = { readonly sinceMs: number; count: number };

/** Who was right a moment ago: a pull of many blobs costs one hash. And who was wrong too often. */
export class RecentLogins {
  /** Of this process; what is kept says nothing without it. */
  readonly #key = randomBytes(32);
  /** By an HMAC of name and password; until when, in the order in which they came. */
  readonly #right = new Map<string, number>();
  readonly #wrong = new Map<string, Failures>();

  has(name: string, password: Buffer, nowMs: number): boolean {
    return (this.#right.get(this.#markOf(name, password)) ?? 0) > nowMs;
  }

  add(name: string, password: Buffer, nowMs: number): void {
    const mark = this.#markOf(name, password);
    this.#right.delete(mark);
    this.#right.set(mark, nowMs + rememberedMs);
    for (const [oldest, until] of this.#right)
      if (until <= nowMs || this.#right.size > maxRemembered) this.#right.delete(oldest);
      else break;
  }

  /**
   * An attempt counts as a failure until it is known to be none, so that many at once are as many.
   *
   * @param address who asks; of IPv6 all count as one that a machine can have.
   * @throws {FactoryError} with `ERR_FACTORY_BUSY` when there were too many.
   */
  begin(address: string, nowMs: number): void {
    const from = addressGroup(address);
    const found = this.#failuresOf(from, nowMs) ?? { sinceMs: nowMs, count: 0 };
    if (found.count >= maxFailures)
      throw new FactoryError(
        'ERR_FACTORY_BUSY',
        'too many wrong passwords from this address: try again in a minute',
      );
    found.count += 1;
    this.#wrong.set(from, found);
    for (const [oldest, { sinceMs }] of this.#wrong)
      if (sinceMs + rememberedMs <= nowMs || this.#wrong.size > maxRemembered) this.#wrong.delete(oldest);
      else break;
  }

  succeeded(address: string): void {
    const found = this.#wrong.get(addressGroup(address));
    if (found !== undefined) found.count -= 1;
  }

  forget(): void {
    this.#right.clear();
  }

  #failuresOf(from: string, nowMs: number): Failures | undefined {
    const found = this.#wrong.get(from);
    if (found === undefined || found.sinceMs + rememberedMs > nowMs) return found;
    this.#wrong.delete(from);
    return undefined;
  }

  #markOf(name: string, password: Buffer): string {
    return createHmac('sha256', this.#key).update(`${name}\0`).update(password).digest('base64');
  }
}
