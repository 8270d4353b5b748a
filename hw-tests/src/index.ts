export type { AvaReport } from './ava-report.ts';
export { RigError, type RigErrorCode } from './errors.ts';
export {
  RigMachine,
  type BootOptions,
  type RebootOptions,
  type RunOptions,
  type RunResult,
} from './rig-machine.ts';
export { type GuestExit, type GuestProcess } from './guest-process.ts';
export type {
  DebianRelease,
  DiskDriver,
  DiskSpec,
  Firmware,
  Forward,
  ShareSpec,
  TpmInterface,
} from '@nodecore/machine';
export { standardEnvironment, standardMachine } from './standard-machine.ts';
export type { RigSpec } from './rig-spec.ts';
