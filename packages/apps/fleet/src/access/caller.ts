import { type FleetRole, includesRole, roleForMethod } from '@nodecore/fleet-api';

import { FleetError } from '../errors.ts';

/** Who calls, as the signature over the call proves it. */
export type Caller = {
  /** E-mail address or service account; empty: nobody is known. */
  readonly identity: string;
  /** The lesser of the user's role and the key's, as they are now. */
  readonly role: FleetRole;
  /** Fingerprint of the key that signed, hexadecimal; empty without one. */
  readonly keyId: string;
};

/** A caller without a signature. Only methods that are open to anybody take it. */
export const nobody: Caller = { identity: '', role: 'None', keyId: '' };

/** @throws {FleetError} `ERR_FLEET_DENIED` when the caller's role does not include the one that is needed. */
export function assertRole(caller: Caller, needed: FleetRole, subject: string): void {
  if (caller.identity !== '' && includesRole(caller.role, needed)) return;
  const message = `${subject}: needs the role ${needed}, and you have ${caller.role}`;
  throw new FleetError('ERR_FLEET_DENIED', message);
}

/** @throws {FleetError} when the caller may not call the method. */
export function authorise(caller: Caller, path: string): void {
  const needed = roleForMethod(path);
  if (needed === 'anybody') return;
  if (caller.identity === '')
    throw new FleetError('ERR_FLEET_UNAUTHENTICATED', 'the call is not signed by a key that is known here');
  assertRole(caller, needed, path);
}
