import { randomUUID } from 'node:crypto';

import { FactoryError } from '../errors.ts';
import { assertSubject, type Grantor, grantOf, type TokenRequest } from './grant.ts';
import type { KeyFiles } from './key-files.ts';
import { lifetimeOf, type Lifetimes } from './lifetime.ts';
import { managingScopes, scopes } from './scopes.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { TokenRecord, TokenRecords } from './token-records.ts';
import { signToken, type Token, verifyToken } from './token.ts';

export type TokensOptions = {
  readonly keys: KeyFiles;
  readonly records: TokenRecords;
  readonly lifetimes: Lifetimes;
  /** How many stored tokens an identity may have. */
  readonly maxPerSubject: number;
  readonly now?: () => Date;
};

/** A token that was issued, and what it is. */
export type IssuedToken = TokenRecord & { readonly token: string; readonly isStored: boolean };

/** The tokens of a factory. */
export class Tokens {
  readonly #options: TokensOptions;
  readonly #now: () => Date;

  constructor(options: TokensOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  get keys(): SigningKeys {
    return this.#options.keys.current;
  }

  /**
   * Reads a token that counts now. Of a stored one the record is asked each time: one that was revoked is refused from then on.
   *
   * @throws {FactoryError} with `ERR_FACTORY_CREDENTIAL`; with `ERR_FACTORY_STORE` while records can't be read, and nobody is let in.
   */
  async verify(text: string): Promise<Token> {
    const now = this.#now();
    const token = await verifyToken(text, this.keys, now);
    if (!token.isStored) return token;
    const { records } = this.#options;
    if (!(await records.has(token.id, token.subject, secondsOf(now))))
      throw new FactoryError('ERR_FACTORY_CREDENTIAL', 'the token was revoked, or is not known here');
    await records.used(token.id, now.toISOString().slice(0, 10));
    return token;
  }

  /** @throws {FactoryError} with `ERR_FACTORY_TOKEN_REQUEST`, `…_CEILING` or `…_LIMIT`, or those of a store. */
  async issue(grantor: Grantor, request: TokenRequest): Promise<IssuedToken> {
    const { lifetimes, records, maxPerSubject } = this.#options;
    const { lifetimeSeconds, isStored, ...grant } = grantOf(grantor, request, lifetimes);
    const createdAt = secondsOf(this.#now());
    const record = { ...grant, id: randomUUID(), createdAt, expiresAt: createdAt + lifetimeSeconds };
    const { id, subject, issuableScopes, expiresAt } = record;
    const token = await signToken(
      {
        id,
        subject,
        scopes: record.scopes,
        issuableScopes,
        isStored,
        isAnySubject: false,
        issuedAt: createdAt,
        expiresAt,
      },
      this.keys,
    );
    // Before anybody has it.
    if (isStored) await records.add(record, maxPerSubject, createdAt);
    return { ...record, token, isStored };
  }

  /** The stored tokens of a subject that count. */
  async list(subject: string): Promise<readonly TokenRecord[]> {
    return await this.#options.records.list(subject, secondsOf(this.#now()));
  }

  /** @throws {FactoryError} with `ERR_FACTORY_TOKEN_UNKNOWN` for what is not a stored token of the subject, or no longer. */
  async revoke(subject: string, id: string): Promise<void> {
    if (!(await this.#options.records.revoke(id, subject, secondsOf(this.#now()))))
      throw new FactoryError('ERR_FACTORY_TOKEN_UNKNOWN', 'no such stored token of yours');
  }
}

/**
 * The credential that a factory begins with: it manages tokens, for every identity, and nothing else. It is never recorded; it ends by
 * its time, or when its key goes.
 *
 * @throws {FactoryError} with `ERR_FACTORY_TOKEN_REQUEST`.
 */
export async function bootstrapToken(options: {
  readonly keys: SigningKeys;
  readonly lifetimes: Lifetimes;
  readonly subject: string;
  readonly ttl: string | undefined;
  readonly now: Date;
}): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const { keys, lifetimes, subject, ttl, now } = options;
  assertSubject(subject);
  const issuedAt = secondsOf(now);
  const expiresAt = issuedAt + lifetimeOf('bootstrap', lifetimes, ttl);
  const token = await signToken(
    {
      id: randomUUID(),
      subject,
      scopes: managingScopes,
      issuableScopes: scopes,
      isStored: false,
      isAnySubject: true,
      issuedAt,
      expiresAt,
    },
    keys,
  );
  return { token, expiresAt: new Date(expiresAt * 1_000) };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
