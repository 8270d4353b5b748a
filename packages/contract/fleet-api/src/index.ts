export {
  auditEvents,
  defaultJoinTokens,
  identities,
  joinTokens,
  publicKeys,
  users,
  type AuditEventSpec,
  type DefaultJoinTokenSpec,
  type IdentitySpec,
  type JoinTokenSpec,
  type PublicKeySpec,
  type UserSpec,
} from './accounts.ts';
export { certificatePin, chainHasPin, peerChain } from './certificate-pin.ts';
export {
  auditNamespace,
  defaultNamespace,
  fleetType,
  type FleetChange,
  type FleetDefinition,
} from './definition.ts';
export { FleetApiError, type FleetApiErrorCode } from './errors.ts';
export { formatJoinUrl, parseFleetCa, parseJoinUrl, type JoinUrl } from './join-url.ts';
export {
  links,
  machines,
  machineStatuses,
  pendingMachines,
  type LinkSpec,
  type MachineSpec,
  type MachineStatusSpec,
  type PendingMachineSpec,
} from './machines.ts';
export {
  fleetRoles,
  includesRole,
  lesserRole,
  parseRole,
  roleForMethod,
  type FleetRole,
  type MethodRole,
} from './roles.ts';
export { connectFleet, FleetClient, unsigned, type FleetConnectOptions } from './client.ts';
export { accountSigner, signer } from './signer.ts';
