import { errors, jwtVerify } from 'jose';

import { FactoryError } from '../errors.ts';
import { isSubject } from '../tokens/grant.ts';
import { type Profile, profiles } from '../tokens/token-request.ts';
import { scopes } from '../tokens/scopes.ts';
import type { Token } from '../tokens/token.ts';
import type { Issuer } from './issuer.ts';
import type { OidcOptions } from './options.ts';

/** Who somebody is, and what they may do. */
export type Identity = Pick<Token, 'subject' | 'scopes' | 'issuableScopes' | 'isAnySubject'>;

/** Those of public keys. What a token says only chooses among them, and the key has to be of its type (RFC 8725, 3.1). */
const algorithms = 'ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');
/** What is a token for callers; others are for logging out, or prove something else. */
const types: readonly unknown[] = [undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt'];
/** How far the clock of an issuer may be from this one. */
const leewaySeconds = 30;
const early = `does not hold yet: clocks may differ by ${leewaySeconds} s`;
/** Longer ones than headers may be. */
const maxLength = 16_384;

/**
 * Reads a token of an issuer, for one of the audiences.
 *
 * @throws {FactoryError} with `ERR_FACTORY_CREDENTIAL` for anything that is not such a token, or holds no longer, and has nothing of it;
 *   with `ERR_FACTORY_ISSUER` while nobody can tell.
 */
export async function verifyIdentity(
  text: string,
  issuer: Issuer,
  options: OidcOptions & { readonly now: Date },
): Promise<Identity> {
  if (text.length > maxLength) throw refused();
  try {
    const { payload, protectedHeader } = await jwtVerify(text, issuer.keyOf, {
      issuer: issuer.issuer,
      audience: [...options.audiences],
      algorithms,
      clockTolerance: leewaySeconds,
      currentDate: options.now,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    if (!types.includes(protectedHeader.typ) || 'crit' in protectedHeader) throw refused();
    if ((payload.iat ?? 0) > options.now.getTime() / 1_000 + leewaySeconds) throw refused(early);
    return identityOf(payload, options);
  } catch (error) {
    if (error instanceof FactoryError) throw error;
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf') throw refused(early);
    // Keys that are too short are no error of its own in the library.
    throw error instanceof errors.JWTExpired ? refused('has expired') : refused();
  }
}

/** @throws {FactoryError} with `ERR_FACTORY_CREDENTIAL` for claims that name nobody. */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { subjectClaim, roles }: Pick<OidcOptions, 'subjectClaim' | 'roles'>,
): Identity {
  const subject = claims[subjectClaim];
  if (typeof subject !== 'string' || !isSubject(subject))
    throw refused(`has no ${subjectClaim} that could be the name of somebody`);
  // Whoever may enter an address at the issuer could be anybody.
  if (subjectClaim === 'email' && claims['email_verified'] !== true)
    throw refused('has an email that the issuer has not verified');
  const held = roles === undefined ? [all] : profilesOf(claims, roles);
  return {
    subject,
    scopes: scopes.filter((scope) => held.some((profile) => profile.scopes.includes(scope))),
    issuableScopes: scopes.filter((scope) => held.some((profile) => profile.issuableScopes.includes(scope))),
    isAnySubject: false,
  };
}

const all: Profile = { scopes, issuableScopes: scopes };

function profilesOf(
  claims: Readonly<Record<string, unknown>>,
  { claim, profiles: byRole }: NonNullable<OidcOptions['roles']>,
): readonly Profile[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : within(claims, claim.split('.'));
  const found: readonly unknown[] =
    typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  const names = new Set(found.map((role) => (typeof role === 'string' ? byRole.get(role) : undefined)));
  return [...names].flatMap((name) => profiles.get(name) ?? []);
}

/** Some issuers have roles in a map: `realm_access.roles`. */
function within(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, part) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, part)
        ? (inside as Record<string, unknown>)[part]
        : undefined,
    value,
  );
}

function refused(why = 'is none of the issuer for this factory'): FactoryError {
  return new FactoryError('ERR_FACTORY_CREDENTIAL', `the token ${why}`);
}
