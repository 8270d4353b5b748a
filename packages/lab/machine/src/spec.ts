import { type BootSource } from './boot-source.ts';
import { type Nic, nicProblems } from './nic.ts';

/** How a disk is attached. `ide` and `ahci` are both ATA; `mmc` is an SD card without a serial of its own. */
export type DiskDriver = 'virtio' | 'nvme' | 'scsi' | 'ahci' | 'ide' | 'usb' | 'mmc' | 'megaraid';

export type DiskSpec = {
  readonly driver: DiskDriver;
  /** Size of a new disk; an existing file keeps its size. An SD card's must be a power of two. */
  readonly sizeBytes: number;
  /** At most 20 ASCII letters and digits (virtio keeps no more), unique in the machine. */
  readonly serial: string;
  /** Guest discards punch holes into the file. Default true. */
  readonly discard?: boolean;
  /** Logical and physical sector size; default 512. Drivers virtio, nvme, scsi and megaraid. */
  readonly sectorSize?: 512 | 4096;
  /** The raw file behind the disk; default `<serial>.disk` in the machine's state directory. */
  readonly file?: string;
  /** What the file is; default `raw`, which new ones are. */
  readonly format?: 'raw' | 'qcow2';
  /**
   * A file that exists, for the record of what this start of the machine writes to the disk and when it flushes, as the kernel's
   * dm-log-writes has it. Another is needed at the next start.
   */
  readonly record?: string;
};

/** `uefi` has no keys enrolled (setup mode); `uefi-secure-boot-off` has, and Secure Boot is switched off in its setup. */
export type Firmware = 'bios' | 'uefi' | 'uefi-secure-boot' | 'uefi-secure-boot-off';

export type TpmInterface = 'none' | 'tis' | 'crb';

/** A hash algorithm of a TPM's registers. */
export type PcrBank = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** A directory of the host that the machine can mount (virtiofs), for reading and writing. */
export type ShareSpec = {
  /** At most 36 letters, digits and dashes, unique in the machine. */
  readonly tag: string;
  /** Absolute path. */
  readonly directory: string;
};

/** What the machine does when nobody has fed its watchdog in time. */
export type WatchdogAction = 'reset' | 'shutdown' | 'poweroff' | 'pause' | 'none';

/**
 * What is left of the guest's flushed writes when this computer crashes or loses power: all with `host-crash`, which has each
 * flush wait for this computer's disk, nothing sure with `none`. When QEMU alone ends, also by SIGKILL, both keep all of them.
 */
export type Durability = 'host-crash' | 'none';

/** A machine as a value: everything that distinguishes one from another. */
export type MachineSpec = {
  /** Host name inside, and the name in messages. */
  readonly name: string;
  /** SMBIOS UUID. */
  readonly uuid: string;
  readonly firmware: Firmware;
  readonly tpm: TpmInterface;
  /** What its TPM speaks; default `2.0`. A TPM 1.2 is reached by `tis`, and has no banks to choose. */
  readonly tpmVersion?: '1.2' | '2.0';
  /**
   * Banks of registers that its TPM is made with; default all four. Firmware hashes all that it starts once for each: 80 MB
   * take an emulated processor some seconds a bank.
   */
  readonly pcrBanks?: readonly PcrBank[];
  readonly memoryMib: number;
  readonly cpus: number;
  readonly disks: readonly DiskSpec[];
  /** Default `host-crash`; `none` is for machines that nobody misses, and refused for a kept one. */
  readonly durability?: Durability;
  /** What it starts from; default its first disk. */
  readonly boot?: BootSource;
  /** Default none. */
  readonly nics?: readonly Nic[];
  /** The file of the network namespace that it runs in (`/run/netns/…`); default this process's. Root's own needs root. */
  readonly networkNamespace?: string;
  /** The file of the user namespace that the network's is of, where that was made without root. The machine runs in both. */
  readonly userNamespace?: string;
  /**
   * UEFI variables that stay from one boot to the next, in `uefi-variables.fd` of its directory. It is made at the first
   * boot, as a copy of `from`, by default of OVMF's own. Without this every boot begins with OVMF's.
   */
  readonly variableStore?: { readonly from?: string };
  /** More directories where UEFI's code and variables are looked for, behind that of OVMF. Absolute paths. */
  readonly firmwarePaths?: readonly string[];
  readonly shares?: readonly ShareSpec[];
  /** Controllers that are there without disks, for those that are plugged in while it runs: `usb` and `scsi`. Default none. */
  readonly controllers?: readonly ('usb' | 'scsi')[];
  /** Empty PCIe slots, for virtio and NVMe disks that are plugged in while it runs. Default none. */
  readonly slots?: number;
  /** Serial ports (virtio) by the names under which the guest finds them. Default none. */
  readonly ports?: readonly string[];
  /** An i6300ESB, which the guest may arm, and what happens when it runs out. Default none. */
  readonly watchdog?: WatchdogAction;
  /** A guest that panics can say so (pvpanic): the machine's state is `panicked` then. Default false. */
  readonly panicDevice?: boolean;
  /** A management controller, which the guest talks to by IPMI (KCS). Default false. */
  readonly controller?: boolean;
  /** Memory that the guest lends back to this computer. Default false. */
  readonly balloon?: boolean;
  /** Processors and memory in that many equal NUMA nodes. Default 1. */
  readonly numaNodes?: number;
  /** An IOMMU (Intel's), with interrupts remapped. Default false. */
  readonly iommu?: boolean;
  /** What the machine's clock says when it is switched on, in UTC; default the time. */
  readonly clock?: Date;
};

/** Places of what disks are attached to. */
const mostDisks: Partial<Readonly<Record<DiskDriver, number>>> = { mmc: 1, ide: 4, ahci: 6 };

/** What makes a machine impossible, in words; empty when nothing does. */
export function problems(spec: MachineSpec): readonly string[] {
  const found: string[] = [];
  const serials = new Set<string>();
  for (const disk of spec.disks) {
    if (!/^[A-Za-z0-9-]{1,20}$/.test(disk.serial)) found.push(`disk serial ${disk.serial}`);
    if (serials.has(disk.serial)) found.push(`two disks with serial ${disk.serial}`);
    serials.add(disk.serial);
    if (disk.format === 'qcow2' && disk.record !== undefined)
      found.push(`disk ${disk.serial}: a record is of a raw file`);
    if (disk.driver === 'mmc' && !Number.isInteger(Math.log2(disk.sizeBytes))) {
      found.push(`mmc disk ${disk.serial}: size is not a power of two`);
    }
  }
  for (const [driver, most] of Object.entries(mostDisks))
    if (spec.disks.filter((disk) => disk.driver === driver).length > most)
      found.push(most === 1 ? `more than one ${driver} disk` : `more than ${most} ${driver} disks`);
  const tags = spec.shares?.map(({ tag }) => tag) ?? [];
  for (const [index, tag] of tags.entries()) {
    if (!/^[A-Za-z0-9-]{1,36}$/.test(tag)) found.push(`share ${tag}`);
    if (tags.indexOf(tag) !== index) found.push(`two shares with tag ${tag}`);
  }
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(port)) found.push(`port ${port}`);
    if (spec.ports?.indexOf(port) !== index) found.push(`two ports with name ${port}`);
  }
  if (spec.pcrBanks?.length === 0) found.push('a TPM without banks');
  if (spec.tpmVersion === '1.2' && spec.tpm !== 'tis') found.push(`a TPM 1.2 by ${spec.tpm}`);
  if (spec.tpmVersion === '1.2' && spec.pcrBanks !== undefined) found.push('a TPM 1.2 with banks');
  found.push(...numaProblems(spec));
  found.push(...nicProblems(spec.nics ?? []), ...bootProblems(spec));
  if (!/^[a-z0-9-]{1,63}$/.test(spec.name)) found.push(`name ${spec.name}`);
  return found;
}

function numaProblems({ numaNodes = 1, cpus, memoryMib, shares = [] }: MachineSpec): string[] {
  if (numaNodes === 1) return [];
  if (!Number.isInteger(numaNodes) || numaNodes < 1) return [`${numaNodes} NUMA nodes`];
  if (cpus % numaNodes !== 0 || memoryMib % numaNodes !== 0)
    return [`${cpus} processors and ${memoryMib} MiB don't divide into ${numaNodes} NUMA nodes`];
  return shares.length > 0 ? ['NUMA nodes and shares both decide where its memory is'] : [];
}

function bootProblems({
  boot = { kind: 'disk' },
  firmware,
  disks,
  nics = [],
  variableStore,
}: MachineSpec): string[] {
  if (boot.kind === 'uki' && firmware === 'bios') return ['a unified kernel image boots with UEFI only'];
  if (variableStore !== undefined && firmware === 'bios') return ['a BIOS has no store of variables'];
  if ('after' in boot && boot.after === 'disk' && firmware === 'bios')
    return ['a BIOS starts a disk that has a partition table, or hangs: nothing comes after it'];
  if (boot.kind === 'network' && nics.length === 0) return ['it boots from a network card and has none'];
  if (boot.kind === 'disk' && disks.length === 0) return ['it boots from a disk and has none'];
  return [];
}
