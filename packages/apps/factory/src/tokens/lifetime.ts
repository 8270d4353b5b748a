import { parseDuration } from '@nodecore/cli';

import { FactoryError } from '../errors.ts';

/** How long tokens of a sort hold, in seconds. */
export type Lifetime = { readonly min: number; readonly default: number; readonly max: number };

export type TokenSort = 'stored' | 'ephemeral' | 'bootstrap';

export type Lifetimes = Readonly<Record<TokenSort, Lifetime>>;

const hour = 3_600;

/** Where a configuration says nothing else. */
export const defaultLifetimes: Lifetimes = {
  stored: { min: hour, default: 8_760 * hour, max: 8_760 * hour },
  ephemeral: { min: 30, default: 300, max: 8 * hour },
  bootstrap: { min: hour, default: 2_160 * hour, max: 87_600 * hour },
};

/** Seconds of a duration as `720h` or `1h30m`; undefined for what is none, or no time at all. */
export function readSeconds(text: string): number | undefined {
  try {
    const seconds = parseDuration(text) / 1_000;
    return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Seconds that a token holds.
 *
 * @throws {FactoryError} with `ERR_FACTORY_TOKEN_REQUEST`, naming the bound.
 */
export function lifetimeOf(sort: TokenSort, { [sort]: allowed }: Lifetimes, asked?: string): number {
  if (asked === undefined) return allowed.default;
  const seconds = readSeconds(asked);
  if (seconds === undefined)
    throw new FactoryError('ERR_FACTORY_TOKEN_REQUEST', 'ttl: must be a duration as 720h or 1h30m');
  const bound = seconds < allowed.min ? 'min' : seconds > allowed.max ? 'max' : undefined;
  if (bound === undefined) return Math.floor(seconds);
  throw new FactoryError(
    'ERR_FACTORY_TOKEN_REQUEST',
    `ttl: ${sort} tokens hold for ${bound === 'min' ? 'at least' : 'at most'} ${formatSeconds(allowed[bound])}`,
  );
}

/** As {@link readSeconds} reads it. */
export function formatSeconds(seconds: number): string {
  if (seconds % hour === 0) return `${seconds / hour}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
