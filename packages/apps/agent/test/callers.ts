import { anonymousCaller, type Caller } from '../src/server/caller.ts';

/** Somebody with a certificate that has these roles. */
export function callerWith(...roles: readonly string[]): Caller {
  return {
    ...anonymousCaller(),
    maintenance: false,
    roles: new Set(roles),
    name: 'somebody',
    serial: '0A',
    fingerprint: 'f'.repeat(64),
    identity: roles.join(' '),
    isAdmin: roles.includes('os:admin'),
  };
}
