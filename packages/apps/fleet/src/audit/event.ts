import { randomBytes } from 'node:crypto';

import { auditEvents, type AuditEventSpec } from '@nodecore/fleet-api';
import type { Key, Operation } from '@nodecore/state';

import type { Caller } from '../access/caller.ts';

/** What was done to one resource. */
export type AuditedChange = {
  readonly eventType: AuditEventSpec['eventType'];
  readonly key: Key;
  /** For people; never a token, a code or a key. */
  readonly detail?: string;
};

/** The fleet itself, as the one who did something. */
export const fleetItself: Caller = { identity: '', role: 'Admin', keyId: '' };

/**
 * The operation that records a change: it goes into the transaction of the change, so that there is never one without the other.
 * Ids sort by time.
 */
export function auditOperation(
  { eventType, key, detail }: AuditedChange,
  { identity, role, keyId }: Caller,
  nowMs: number,
): Operation {
  const { type, defaultNamespace: namespace } = auditEvents;
  const id = `${nowMs.toString().padStart(14, '0')}-${randomBytes(6).toString('hex')}`;
  const spec = {
    eventType,
    resourceType: key.type,
    resourceId: key.id,
    eventTs: nowMs,
    actor: identity,
    role,
    ...(keyId !== '' && { fingerprint: keyId }),
    ...(detail !== undefined && { detail }),
  };
  return { op: 'create', key: { namespace, type, id }, spec };
}
