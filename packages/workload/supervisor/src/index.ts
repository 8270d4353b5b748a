export { ServiceCgroups, type ServiceLimits } from './cgroups.ts';
export { SupervisorError, type SupervisorErrorCode } from './errors.ts';
export type { Probe } from './health.ts';
export { keeperProgram } from './keeper-program.ts';
export type { ProgramEnd } from './kept-program.ts';
export type { FormerLog, LogPlace } from './log-archive.ts';
export { LogRing, type LogPiece, type ReadLogOptions } from './log-ring.ts';
export type { Condition, RestartPolicy, ServiceDefinition } from './managed-service.ts';
export type { Bind, Program } from './program.ts';
export { type BootLogPiece, readBoots, type ReadBootsOptions } from './read-log.ts';
export { Service, shownEnd, type ServiceParts } from './service.ts';
export {
  mostEvents,
  type ServiceEvent,
  type ServiceHealth,
  type ServiceState,
  type ServiceStatus,
} from './state.ts';
export { Supervisor, type Operation, type Operations, type SupervisorOptions } from './supervisor.ts';
