import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import { type FleetDefinition, joinTokens, type JoinTokenSpec } from '@nodecore/fleet-api';
import type { Kind, Resource, State } from '@nodecore/state';

/** What a token that a machine shows is worth now. */
export type TokenVerdict = 'valid' | 'unknown' | 'revoked' | 'expired';

/** Where the resources of a type are. */
export function kindOf({ type, defaultNamespace: namespace }: FleetDefinition): Kind {
  return { namespace, type };
}

/**
 * Whether a machine may join by this token now. Every token is compared, in constant time: how long it takes says nothing about how
 * much of one was guessed.
 */
export async function checkJoinToken(state: State, token: string, nowMs: number): Promise<TokenVerdict> {
  const { resources } = await state.list(kindOf(joinTokens));
  const wanted = digestOf(token);
  let found: Resource | undefined;
  for (const resource of resources) {
    if (timingSafeEqual(digestOf(resource.metadata.id), wanted)) found = resource;
  }
  return found === undefined || found.metadata.phase !== 'running'
    ? 'unknown'
    : verdictOf(found.spec as JoinTokenSpec, nowMs);
}

/** Revoked or expired, as the token's resource says. */
export function verdictOf({ revoked, expirationTime }: JoinTokenSpec, nowMs: number): TokenVerdict {
  if (revoked) return 'revoked';
  if (expirationTime === undefined) return 'valid';
  const ends = Date.parse(expirationTime);
  return Number.isFinite(ends) && nowMs < ends ? 'valid' : 'expired'; // what is no time is no permission either
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenLength = 43;

/** 256 random bits in base 62. */
export function newJoinToken(): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let index = 0; index < tokenLength; index += 1) {
    text = digits[Number(rest % 62n)]! + text;
    rest /= 62n;
  }
  return text;
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
