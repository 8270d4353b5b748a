import { isIP } from 'node:net';

import type { Metadata } from '@grpc/grpc-js';

import { ServerError } from '../server/errors.ts';

/** RFC 1035: a name with its dots. */
const maxNameLength = 253;

/**
 * The node that a call is for, by address or name as the caller has written it.
 *
 * @throws {ServerError} `ERR_SERVER_REQUEST` when it names none, several, or more than a node.
 */
export function targetOf(metadata: Pick<Metadata, 'get'>): string {
  if (metadata.get('nodes').length > 0)
    throw refused('nodes: a call is for one node, which `node` names; several need a call each');
  const [name = '', ...others] = metadata.get('node').map(String);
  if (others.length > 0 || name.includes(','))
    throw refused('node: a call is for one node; several need a call each');
  if (isIP(name) === 0 && !isHostName(name))
    throw refused(`node: ${JSON.stringify(name.slice(0, 64))} is no address and no name; leave out the port`);
  return name;
}

function isHostName(name: string): boolean {
  return name.length <= maxNameLength && /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/iu.test(name);
}

function refused(why: string): ServerError {
  return new ServerError('ERR_SERVER_REQUEST', why);
}
