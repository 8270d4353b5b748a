import { FactoryError } from '../errors.ts';
import { lifetimeOf, type Lifetimes } from './lifetime.ts';
import { isSubset, type Scope } from './scopes.ts';

/** Who asks for a token. */
export type Grantor = {
  readonly subject: string;
  /** The most that it may pass on; what it may do itself does not count. */
  readonly issuableScopes: readonly Scope[];
  readonly isAnySubject: boolean;
};

/** What is asked for. */
export type TokenRequest = {
  readonly scopes: readonly Scope[];
  readonly issuableScopes: readonly Scope[];
  readonly isStored: boolean;
  readonly name: string;
  /** Whose it will be: who asks, unless given. */
  readonly subject?: string;
  /** As `720h`. */
  readonly ttl?: string;
};

/** What the token will be. No grant lets a token issue for others than itself. */
export type Grant = {
  readonly subject: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly issuableScopes: readonly Scope[];
  readonly isStored: boolean;
  readonly lifetimeSeconds: number;
};

/**
 * Decides what is issued. A chain of tokens never holds a scope, or a subject, that its root could not give.
 *
 * @throws {FactoryError} with `ERR_FACTORY_TOKEN_REQUEST` for what makes no sense, naming the field; with `ERR_FACTORY_TOKEN_CEILING` for
 *   more than who asks may pass on.
 */
export function grantOf(grantor: Grantor, request: TokenRequest, lifetimes: Lifetimes): Grant {
  const { scopes, issuableScopes, isStored, name } = request;
  const { subject = grantor.subject } = request;
  if (scopes.length === 0) throw senseless('scopes: at least one');
  if (issuableScopes.length > 0 && !scopes.includes('token:issue'))
    throw senseless('issuable_scopes: only with token:issue in scopes');
  if (isStored && name.trim() === '') throw senseless('name: a stored token has one, by which it is listed');
  assertSubject(subject);
  for (const [field, asked] of Object.entries({ scopes, issuable_scopes: issuableScopes }))
    if (!isSubset(asked, grantor.issuableScopes)) {
      const beyond = asked.filter((scope) => !grantor.issuableScopes.includes(scope));
      throw beyondCeiling(`${field}: ${beyond.join(', ')}: more than the issuable_scopes of who asks`);
    }
  if (subject !== grantor.subject && !grantor.isAnySubject)
    throw beyondCeiling('subject: only a bootstrap credential issues for others');
  const lifetimeSeconds = lifetimeOf(isStored ? 'stored' : 'ephemeral', lifetimes, request.ttl);
  return { subject, name: name.trim(), scopes, issuableScopes, isStored, lifetimeSeconds };
}

/** @throws {FactoryError} with `ERR_FACTORY_TOKEN_REQUEST`. */
export function assertSubject(subject: string): void {
  if (!isSubject(subject)) throw senseless('subject: 1 to 256 bytes without spaces and control characters');
}

/** Whether a text can name an identity: it is in tokens, logs and schematics. */
export function isSubject(text: string): boolean {
  return text !== '' && Buffer.byteLength(text) <= 256 && !/[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
}

function senseless(message: string): FactoryError {
  return new FactoryError('ERR_FACTORY_TOKEN_REQUEST', message);
}

function beyondCeiling(message: string): FactoryError {
  return new FactoryError('ERR_FACTORY_TOKEN_CEILING', message);
}
