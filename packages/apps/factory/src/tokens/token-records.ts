import { FactoryError } from '../errors.ts';
import { readScopeClaim, type Scope } from './scopes.ts';

/** What is kept of a stored token. The token itself is not. */
export type TokenRecord = {
  readonly id: string;
  readonly subject: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly issuableScopes: readonly Scope[];
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Day of the last use, as `2026-11-23` of UTC; undefined for none. */
  readonly lastUsedOn?: string;
};

/** The stored tokens of all identities. What it has returned from survives a power cut, and every process that has it open knows it. */
export type TokenRecords = AsyncDisposable & {
  /**
   * Keeps a record, unless its subject has `max` tokens that count. Counted and kept in one transaction: of many at once, none comes
   * through beyond the limit. Records whose time has passed go.
   *
   * @param now seconds since 1970.
   * @throws {FactoryError} with `ERR_FACTORY_TOKEN_LIMIT`, or those of a store.
   */
  add(record: TokenRecord, max: number, now: number): Promise<void>;

  /** Whether a token of this ID and subject counts now. */
  has(id: string, subject: string, now: number): Promise<boolean>;

  /**
   * Keeps that a token was used on a day, which costs one write a day. A store that can't keep it lets nobody out: by this day nothing
   * is decided.
   */
  used(id: string, day: string): Promise<void>;

  /** Those of a subject that count, the oldest first. */
  list(subject: string, now: number): Promise<readonly TokenRecord[]>;

  /** @returns false when the subject has no such token that counts. */
  revoke(id: string, subject: string, now: number): Promise<boolean>;
};

/** What is said where a full disk keeps a token from being revoked: who hears only of a full disk may take it for done. */
export const notRevoked = 'no room to record that the token is revoked: it still holds';

/** @returns the error of a subject that has as many tokens as it may. */
export function tooManyTokens(max: number): FactoryError {
  return new FactoryError(
    'ERR_FACTORY_TOKEN_LIMIT',
    `${max} stored tokens are there, and no more may be: revoke one, or ask for an ephemeral one`,
  );
}

/** @param row of either database: their columns have the same names. */
export function recordOf(row: Readonly<Record<string, unknown>>): TokenRecord {
  return {
    id: String(row['id']),
    subject: String(row['subject']),
    name: String(row['name']),
    scopes: readScopeClaim(row['scopes']) ?? [],
    issuableScopes: readScopeClaim(row['issuable_scopes']) ?? [],
    createdAt: Number(row['created_at']),
    expiresAt: Number(row['expires_at']),
    ...(typeof row['last_used_on'] === 'string' ? { lastUsedOn: row['last_used_on'] } : {}),
  };
}
