export { chooseAccelerator, type AcceleratorTrial } from './accelerator.ts';
export { hasSecureBoot } from './boot-files.ts';
export type { BootSource } from './boot-source.ts';
export { compiledProgram } from './compiled-program.ts';
export { consoleFile, consoleSays, consoleTail } from './console.ts';
export { guestModules, hasSerial } from './disk-drivers.ts';
export { diskFile, ensureDisk } from './disk-file.ts';
export { MachineError, type MachineErrorCode } from './errors.ts';
export { kernelBoots, type KernelTrial } from './kernel-trial.ts';
export type { Lifetime } from './lifetime.ts';
export type { MachineOptions, PowerOffOptions, PowerOnOptions } from './machine-options.ts';
export { endKept, MachineRecord, runsKept } from './machine-record.ts';
export { Machine } from './machine.ts';
export { type Forward, type Nic, type NicBackend, type NicModel } from './nic.ts';
export { type PowerOffReason, type PowerState } from './power.ts';
export { type Accelerator } from './qemu-arguments.ts';
export { requireFile } from './required-file.ts';
export {
  problems,
  type DiskDriver,
  type DiskSpec,
  type Durability,
  type Firmware,
  type MachineSpec,
  type PcrBank,
  type ShareSpec,
  type TpmInterface,
  type WatchdogAction,
} from './spec.ts';
export { tickRateKhz } from './tick-rate.ts';
