import { errors, jwtVerify, type JWTHeaderParameters, SignJWT } from 'jose';

import { FactoryError } from '../errors.ts';
import { readFlatObject } from './flat-object.ts';
import { readScopeClaim, type Scope } from './scopes.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What a token says. */
export type Token = {
  /** The claim `jti`. */
  readonly id: string;
  /** Whose it is. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** The most that tokens may hold, and pass on, that are issued by it. */
  readonly issuableScopes: readonly Scope[];
  /** Whether it counts only while a record of it does. */
  readonly isStored: boolean;
  /** Whether it may issue for others; no token that was issued by one has this. */
  readonly isAnySubject: boolean;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
};

const issuer = 'image-factory';
/** How far the clocks of two replicas may be apart. */
const leewaySeconds = 30;
/** Longer than any that is issued here. */
const maxLength = 4_096;

/** @returns a JSON Web Token in its compact form, signed by the first key. */
export async function signToken(token: Token, { signer }: SigningKeys): Promise<string> {
  return await new SignJWT({
    scope: token.scopes.join(' '),
    issuable_scopes: token.issuableScopes.join(' '),
    stored: token.isStored,
    ...(token.isAnySubject ? { any_subject: true } : {}),
  })
    .setProtectedHeader({ alg: signer.algorithm, typ: 'JWT', kid: signer.kid })
    .setIssuer(issuer)
    .setSubject(token.subject)
    .setJti(token.id)
    .setIssuedAt(token.issuedAt)
    .setExpirationTime(token.expiresAt)
    .sign(signer.privateKey);
}

/**
 * Reads what was signed by one of the keys. Of a stored token the record is to be asked besides.
 *
 * @throws {FactoryError} with `ERR_FACTORY_CREDENTIAL` for anything that is not a token of this factory, or holds no longer. Has nothing
 *   of the token in it.
 */
export async function verifyToken(text: string, keys: SigningKeys, now: Date): Promise<Token> {
  if (text.length > maxLength) throw refused();
  const payload = await verifiedPayload(text, keys, now);
  const claims = readFlatObject(payload);
  const scopes = readScopeClaim(claims?.['scope']);
  const issuableScopes = readScopeClaim(claims?.['issuable_scopes'] ?? '');
  if (claims === undefined || scopes === undefined || issuableScopes === undefined) throw refused();
  const { sub, jti, iat, exp, stored, any_subject: anySubject } = claims;
  const isWhole =
    typeof sub === 'string' &&
    typeof jti === 'string' &&
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    typeof stored === 'boolean' &&
    (anySubject === undefined || anySubject === true);
  if (!isWhole || sub === '' || jti === '' || iat > now.getTime() / 1_000 + leewaySeconds) throw refused();
  // Nobody could take it back.
  if (stored && anySubject === true) throw refused();
  return {
    id: jti,
    subject: sub,
    scopes,
    issuableScopes,
    isStored: stored,
    isAnySubject: anySubject === true,
    issuedAt: iat,
    expiresAt: exp,
  };
}

/** The bytes between the dots, once the signature, the issuer and the dates hold. */
async function verifiedPayload(text: string, keys: SigningKeys, now: Date): Promise<string> {
  const keyOf = (header: JWTHeaderParameters) => {
    const key = keys.find(header.kid);
    // What a header demands to be understood is not; the algorithm is the key's alone (RFC 8725, 3.1).
    if (key === undefined || header.alg !== key.algorithm || 'crit' in header) throw refused();
    return key.publicKey;
  };
  try {
    await jwtVerify(text, keyOf, {
      issuer,
      algorithms: ['ES256', 'EdDSA'],
      typ: 'JWT',
      clockTolerance: leewaySeconds,
      currentDate: now,
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
    });
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused('has expired');
    throw refused();
  }
  return Buffer.from(text.split('.')[1] ?? '', 'base64url').toString();
}

function refused(why = 'is none of this factory'): FactoryError {
  return new FactoryError('ERR_FACTORY_CREDENTIAL', `the token ${why}`);
}
