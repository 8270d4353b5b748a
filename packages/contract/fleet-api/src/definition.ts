import type { ResourceDefinition } from '@nodecore/api';

import type { FleetRole } from './roles.ts';

/** What may be done to a resource by the state service. To tear it down is to begin to destroy it. */
export type FleetChange = 'create' | 'update' | 'destroy';

/** What the fleet says about one type of resource. */
export type FleetDefinition = ResourceDefinition & {
  /** The least role that reads resources of the type. */
  readonly readers: FleetRole;
  /** The least role that creates, changes and destroys them by the state service; `nobody`: the fleet alone does. */
  readonly writers: FleetRole | 'nobody';
  /** What those may do; all of it unless it is said. */
  readonly changes?: readonly FleetChange[];
  /** Encrypted in the file of the state, as sensitive types are, though readers see it. */
  readonly sealed?: boolean;
};

/** Where resources lie that survive a restart. */
export const defaultNamespace = 'default';

/** Where the record of what was done lies. */
export const auditNamespace = 'audit';

/** The full name of a type of the fleet. */
export function fleetType(name: string): string {
  return `${name}.fleet.nodecore.dev`;
}
