/** Roles of the fleet, from the least to the most. */
export const fleetRoles = ['None', 'InfraProvider', 'Reader', 'Auditor', 'Operator', 'Admin'] as const;

/** What a user, a service account or one of their keys may do at most. */
export type FleetRole = (typeof fleetRoles)[number];

/** The role of a text. Undefined for one that is none: nothing is worth `None` by mistake. */
export function parseRole(text: string): FleetRole | undefined {
  return fleetRoles.find((role) => role.toLowerCase() === text.toLowerCase());
}

/**
 * Whether `held` includes `needed`. The log of what was done is for Auditor and Admin alone: an Operator, who is above an Auditor in
 * all else, does not read it.
 */
export function includesRole(held: FleetRole, needed: FleetRole): boolean {
  if (needed === 'Auditor') return held === 'Auditor' || held === 'Admin';
  return fleetRoles.indexOf(held) >= fleetRoles.indexOf(needed);
}

/**
 * The lesser of two roles: a key never does more than its user, and a user no more than the key was asked for. Of Operator and
 * Auditor that is Reader: neither includes the other.
 */
export function lesserRole(one: FleetRole, other: FleetRole): FleetRole {
  if (includesRole(one, other)) return other;
  return includesRole(other, one) ? one : 'Reader';
}

/** Who may call a method: anybody, also without a signature; or who has at least this role. */
export type MethodRole = FleetRole | 'anybody';

const state = '/nodecore.fleet.v1.StateService/';
const management = '/nodecore.fleet.v1.ManagementService/';
const auth = '/nodecore.fleet.v1.AuthService/';
const nodeMethods = '/nodecore.v1.';

/** Methods of the state ask for the least here: what the caller may read or write is said by each type. */
const methods: Readonly<Record<string, MethodRole>> = {
  [`${state}Get`]: 'None',
  [`${state}List`]: 'None',
  [`${state}Watch`]: 'None',
  [`${state}Create`]: 'Operator',
  [`${state}Update`]: 'Operator',
  [`${state}Teardown`]: 'Operator',
  [`${state}Destroy`]: 'Operator',
  [`${management}MachineLogs`]: 'Reader',
  [`${management}SecurityReport`]: 'Reader',
  [`${management}CreateJoinToken`]: 'Operator',
  [`${management}RevokeJoinToken`]: 'Operator',
  [`${management}GetMachineJoinConfig`]: 'Reader',
  [`${management}CreateServiceAccount`]: 'Admin',
  [`${management}DestroyServiceAccount`]: 'Admin',
  [`${management}WhoAmI`]: 'None',
  [`${auth}RegisterPublicKey`]: 'anybody',
  [`${auth}AwaitPublicKeyConfirmation`]: 'anybody',
  [`${auth}ConfirmPublicKey`]: 'anybody',
  [`${auth}RevokePublicKey`]: 'None',
  [`${auth}CreateWebLogin`]: 'Reader',
};

/**
 * Who may call a method of the fleet, by its path. One that is in no list is for Admin. Calls for machines pass for readers: the
 * machine decides by the role that the fleet passes on, which is never more than the caller's.
 */
export function roleForMethod(path: string): MethodRole {
  if (path.startsWith(nodeMethods)) return 'Reader';
  return Object.hasOwn(methods, path) ? methods[path]! : 'Admin';
}
