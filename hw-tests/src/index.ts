export type { AvaReport } from './ava-report.ts';
export { RigError, type RigErrorCode } from './errors.ts';
export { Machine, type BootOptions, type RebootOptions, type RunOptions, type RunResult } from './machine.ts';
export { type GuestExit, type GuestProcess } from './guest-process.ts';
export type {
  DebianRelease,
  DiskDriver,
  DiskSpec,
  Firmware,
  Forward,
  MachineSpec,
  ShareSpec,
  TpmInterface,
} from '@nodecore/machine';
export { standardEnvironment, standardMachine } from './standard-machine.ts';
