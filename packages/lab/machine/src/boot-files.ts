import type { DiskSpec, Firmware } from './spec.ts';

/** UEFI's code and its variable store. */
export type FirmwareFiles = { readonly code: string; readonly variables: string };

/** How this process and QEMU reach each other: an inherited descriptor, or a Unix socket that QEMU makes. */
export type Channel = { readonly descriptor: number } | { readonly socket: string };

/** Files and channels of one boot; relative paths are relative to the machine's directory. */
export type BootFiles = {
  readonly console: string;
  readonly disk: (disk: DiskSpec) => string;
  /** QEMU's control port. */
  readonly control: Channel;
  /** The machine's serial ports by name. */
  readonly ports?: ReadonlyMap<string, Channel>;
  /** QEMU's number of the descriptor of a network card on a tap device. */
  readonly tap?: (index: number) => number;
  /** Absent with a BIOS. */
  readonly firmware?: FirmwareFiles;
  /** The sockets of virtiofsd by tag; absent without shares. */
  readonly shares?: ReadonlyMap<string, string>;
  /** The control socket of swtpm; absent without a TPM. */
  readonly tpm?: string;
};

/** Whether the firmware is the one that knows Secure Boot, on or off. */
export function hasSecureBoot(firmware: Firmware): boolean {
  return firmware === 'uefi-secure-boot' || firmware === 'uefi-secure-boot-off';
}
