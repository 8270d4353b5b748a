/** The link of a machine to its fleet: {@link dial} on the machine, {@link FleetSession} in the fleet. */
export { LinkError, type LinkErrorCode } from './errors.ts';
export { FleetSession, type Provision } from './fleet/session.ts';
export { createLinkIdentity, type LinkIdentity, machineId, publicKeyOf } from './identity.ts';
export { type LinkLimits, linkLimits } from './limits.ts';
export { dial, type DialOptions, type LinkState, reconnectMs } from './machine/dial.ts';
export type { MachineHandlers } from './machine/serve.ts';
export { nodeApiTarget, protocol } from './protocol.ts';
export { type MachineFacts, type ProvisionAnswer, type ProvisionRequest, readFacts } from './provision.ts';
