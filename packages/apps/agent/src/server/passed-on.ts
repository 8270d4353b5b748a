import type { Metadata } from '@grpc/grpc-js';
import { type Role, roles as knownRoles } from '@nodecore/api';

import type { Caller } from './caller.ts';
import { ServerError } from './errors.ts';

/** Who calls, in the metadata of a call that another node passes on. */
export const callerKey = 'nodecore-caller-bin';

/** More than a name in a certificate needs; it goes into headers, logs and the audit. */
const maxNameLength = 256;

/** The header that tells another node who calls: what the certificate says, and no key of it. */
export function callerHeader({ name, serial, fingerprint, roles }: Caller): Readonly<Record<string, string>> {
  const said = { name: name.slice(0, maxNameLength), serial, fingerprint, roles: [...roles] };
  return { [callerKey]: Buffer.from(JSON.stringify(said)).toString('base64') };
}

/**
 * Who really calls: somebody else than the holder of the certificate where another node passes the call on.
 *
 * @throws {ServerError} `ERR_SERVER_DENIED` when anybody but a node names another caller, and when a node names none;
 *   `ERR_SERVER_REQUEST` for words that name nobody.
 */
export function actualCaller(holder: Caller, metadata: Pick<Metadata, 'get'>): Caller {
  const said = metadata.get(callerKey);
  if (!holder.isImpersonator) {
    if (said.length === 0) return holder;
    throw new ServerError('ERR_SERVER_DENIED', 'only a node of the cluster calls for somebody else');
  }
  const [value] = said;
  if (value === undefined)
    throw new ServerError('ERR_SERVER_DENIED', 'the certificate of a node is for calls of others alone');
  const { name, serial, fingerprint, roles } = saidCaller(value);
  return {
    ...holder,
    name,
    serial,
    fingerprint,
    roles,
    identity: fingerprint,
    isAdmin: roles.has('os:admin'),
    isImpersonator: false,
    via: holder.name,
  };
}

type Said = Pick<Caller, 'name' | 'serial' | 'fingerprint' | 'roles'>;

function saidCaller(value: string | Buffer): Said {
  const { name, serial, fingerprint, roles } = fieldsOf(value);
  const isWhole =
    typeof name === 'string' &&
    name.length <= maxNameLength &&
    typeof serial === 'string' &&
    /^[0-9A-F]{0,64}$/iu.test(serial) &&
    typeof fingerprint === 'string' &&
    /^[0-9a-f]{64}$/u.test(fingerprint) &&
    Array.isArray(roles);
  if (!isWhole) throw new ServerError('ERR_SERVER_REQUEST', `${callerKey}: it names nobody`);
  return { name, serial, fingerprint, roles: new Set(roles.filter(isRole)) };
}

function fieldsOf(value: string | Buffer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(value.toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isRole(value: unknown): value is Role {
  return (knownRoles as readonly unknown[]).includes(value);
}
