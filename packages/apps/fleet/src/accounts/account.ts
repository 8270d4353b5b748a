import { emailOf, readVerifyingKey, type VerifyingKey } from '@nodecore/authv1';
import { type FleetDefinition, type FleetRole, identities, publicKeys, users } from '@nodecore/fleet-api';
import type { Key, Operation } from '@nodecore/state';
import { randomUUID } from 'node:crypto';

import { FleetError } from '../errors.ts';

const minute = 60_000;
/** Keys of users: a working day. */
export const maxUserKeyMs: number = 8 * 60 * minute;
/** Keys of service accounts: a year. */
export const maxServiceKeyMs: number = 365 * 24 * 60 * minute;
const skewMs = 5 * minute;

/** The key of a resource in the namespace of its type. */
export function keyOf({ type, defaultNamespace: namespace }: FleetDefinition, id: string): Key {
  return { namespace, type, id };
}

/**
 * A public key that somebody wants to sign with.
 *
 * @throws {Authv1Error} for what is no public key; {FleetError} for one of somebody else, or that lives too long.
 */
export async function checkedKey(
  armored: string,
  { identity, maxMs, nowMs }: { readonly identity: string; readonly maxMs: number; readonly nowMs: number },
): Promise<VerifyingKey> {
  const key = await readVerifyingKey(armored);
  if (emailOf(key.userId) !== identity) throw refusal('is for another identity');
  if (key.createdMs > nowMs + skewMs) throw refusal('is of the future: look at the clocks');
  if (key.expiresMs <= nowMs) throw refusal('has expired');
  if (key.expiresMs > nowMs + maxMs + skewMs)
    throw refusal(`lives longer than ${maxMs / (60 * minute)} hours`);
  return key;
}

function refusal(why: string): FleetError {
  return new FleetError('ERR_FLEET_REQUEST', `the public key ${why}`);
}

/** The operation that makes a key one that signs calls. */
export function createKey(key: VerifyingKey, identity: string, role: FleetRole): Operation {
  const expiration = new Date(key.expiresMs).toISOString();
  return {
    op: 'create',
    key: keyOf(publicKeys, key.keyId),
    spec: { identity, publicKey: key.armored, role, expiration },
  };
}

/** The operations that make a user with one identity. */
export function createUser(identity: string, role: FleetRole): readonly Operation[] {
  const userId = randomUUID();
  return [
    { op: 'create', key: keyOf(users, userId), spec: { role } },
    { op: 'create', key: keyOf(identities, identity), spec: { userId } },
  ];
}
