import type { BootSource } from './boot-source.ts';
import type { Lifetime, Namespaces } from './lifetime.ts';
import type { PowerOffReason, PowerState } from './power.ts';
import type { Accelerator } from './qemu-arguments.ts';
import type { DiskSpec, Firmware } from './spec.ts';

export type MachineOptions = {
  /** Where its disks, TPM state and logs are, and stay. It is made when it is not there. */
  readonly directory: string;
  /** Default `tethered`. */
  readonly lifetime?: Lifetime;
  /** Hears of every change of the state, with the reason when the machine went off. */
  readonly onState?: (state: PowerState, reason: PowerOffReason | undefined) => void;
};

/** What holds for one boot. */
export type PowerOnOptions = {
  /** Default `tcg`, which works everywhere. */
  readonly accelerator?: Accelerator;
  /** In place of what the machine's value says, for this once. */
  readonly boot?: BootSource;
  /** In place of the disks of the machine's value, for this once. */
  readonly disks?: readonly DiskSpec[];
  /** What its setup says this time. */
  readonly firmware?: Firmware;
  /** Somebody put another TPM into the machine: the state of the old one is gone. */
  readonly newTpm?: boolean;
  /** In place of those of the machine's value: without root they are other files every time that they are made. */
  readonly namespaces?: Namespaces;
  /** More of QEMU's arguments, behind the machine's own. */
  readonly arguments?: readonly string[];
};

export type PowerOffOptions = {
  /** How long the guest may take before it is killed, in milliseconds. Default 10 000. */
  readonly graceMs?: number;
};
