export type { DiskDriver, DiskSpec, Firmware, Forward, ShareSpec, TpmInterface } from '@nodecore/machine';

export type { AvaReport } from './ava-report.ts';
export { RigError, type RigErrorCode } from './errors.ts';
export { type GuestExit, type GuestProcess } from './guest-process.ts';
export { directBoot, nodeImage, type NodeImage, type NodeImageOptions } from './node-image.ts';
export { RigMachine, type BootOptions, type RebootOptions } from './rig-machine.ts';
export type { DebianRelease, RigSpec } from './rig-spec.ts';
export type { Runner, RunOptions, RunResult } from './runner.ts';
export { standardEnvironment, standardMachine } from './standard-machine.ts';
