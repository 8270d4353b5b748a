import type { Metadata } from '@grpc/grpc-js';
import { type FleetRole, includesRole } from '@nodecore/fleet-api';

import type { Caller } from '../access/caller.ts';
import { FleetError } from '../errors.ts';
import type { NodeRole } from '../links/authorities.ts';
import type { LinkedMachine } from '../links/links.ts';

/** What a call says that is meant for a node. */
export const nodeRuntime = 'nodeos';

const roles: readonly (readonly [FleetRole, NodeRole])[] = [
  ['Admin', 'os:admin'],
  ['Operator', 'os:operator'],
  ['Reader', 'os:reader'],
];

/** The role on the node API that a caller has by their role in the fleet. @throws {FleetError} `ERR_FLEET_DENIED` for none. */
export function nodeRoleOf({ identity, role }: Caller): NodeRole {
  const found = identity === '' ? undefined : roles.find(([needed]) => includesRole(role, needed));
  if (found === undefined)
    throw new FleetError('ERR_FLEET_DENIED', `the node API needs the role Reader, and you have ${role}`);
  return found[1];
}

/** What a machine has said of itself, also of one whose link does not stand. */
export type KnownMachine = { readonly id: string } & Partial<
  Pick<LinkedMachine['facts'], 'uuid' | 'hostname'>
>;

/**
 * The machine that a call is for: by its id, or by a hardware UUID or host name that no other machine of the fleet has. One that is off
 * counts, too: a call that was meant for it must not come to another.
 *
 * @param linked those whose link stands.
 * @param known all of the fleet; asked for when a call does not name an id.
 * @throws {FleetError} `ERR_FLEET_REQUEST` when it names none or several, `ERR_FLEET_NOT_FOUND` when there is none.
 */
export async function machineFor(
  metadata: Metadata,
  linked: readonly LinkedMachine[],
  known: () => Promise<readonly KnownMachine[]>,
): Promise<LinkedMachine> {
  const name = nameOf(metadata);
  const byId = linked.find(({ id }) => id === name);
  if (byId !== undefined) return byId;
  const all = [...(await known()), ...linked.map(({ id, facts }) => ({ id, ...facts }))];
  const others = all.filter(({ uuid, hostname }) => uuid === name || hostname?.toLowerCase() === name);
  const [other, ...more] = new Set(others.map(({ id }) => id));
  if (more.length > 0)
    throw new FleetError('ERR_FLEET_REQUEST', `several machines are ${name}: ${ids([other!, ...more])}`);
  const machine = linked.find(({ id }) => id === other);
  if (machine === undefined)
    throw new FleetError('ERR_FLEET_NOT_FOUND', `there is no connected machine ${name.slice(0, 128)}`);
  return machine;
}

function nameOf(metadata: Metadata): string {
  const runtime = metadata.get('runtime').map(String);
  if (runtime.some((each) => each !== nodeRuntime))
    throw new FleetError('ERR_FLEET_REQUEST', `the runtime ${runtime.join()} is not one of this fleet`);
  const named = [...metadata.get('node'), ...metadata.get('nodes')].flatMap((each) =>
    String(each).split(','),
  );
  const names = [...new Set(named.map((each) => each.trim().toLowerCase()).filter((each) => each !== ''))];
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new FleetError('ERR_FLEET_REQUEST', 'a call is for one machine: name it by its id');
  return name;
}

function ids(machines: readonly string[]): string {
  return machines.slice(0, 8).join(', ');
}
