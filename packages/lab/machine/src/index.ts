export { compiledProgram } from './compiled-program.ts';
export { ControlSession } from './control-session.ts';
export { DiskBay } from './disk-bay.ts';
export { guestModules, hasSerial } from './disk-drivers.ts';
export { MachineError, type MachineErrorCode } from './errors.ts';
export { firmware } from './firmware.ts';
export { identityOf, isRunning, parseIdentity, type ProcessIdentity } from './process-identity.ts';
export {
  controlDescriptor,
  qemuArguments,
  runnerDescriptor,
  type Accelerator,
  type BootFiles,
  type Processor,
} from './qemu-arguments.ts';
export { requireFile } from './required-file.ts';
export { startShare, type RunningShare } from './shared-directory.ts';
export { removeTpmState, startTpm, tpmSocket } from './software-tpm.ts';
export {
  specProblems,
  type DebianRelease,
  type DiskDriver,
  type DiskSpec,
  type Firmware,
  type Forward,
  type MachineSpec,
  type ShareSpec,
  type TpmInterface,
} from './spec.ts';
export { tickRateKhz } from './tick-rate.ts';
