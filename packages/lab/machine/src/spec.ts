/** The releases of Debian whose kernels can be had. */
export type DebianRelease = 'bullseye' | 'bookworm' | 'trixie';

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
  /** Logical and physical sector size; default 512. Drivers virtio, nvme and scsi. */
  readonly sectorSize?: 512 | 4096;
  /** The raw file behind the disk; default `<serial>.disk` in the machine's state directory. */
  readonly file?: string;
};

/** `uefi` has no keys enrolled (setup mode); `uefi-secure-boot-off` has, and Secure Boot is switched off in its setup. */
export type Firmware = 'bios' | 'uefi' | 'uefi-secure-boot' | 'uefi-secure-boot-off';

export type TpmInterface = 'none' | 'tis' | 'crb';

/** One loopback port of the host that reaches a port of the machine. */
export type Forward = { readonly host: number; readonly guest: number };

/** A directory of the host that the machine can mount (virtiofs), for reading and writing. */
export type ShareSpec = {
  /** At most 36 letters, digits and dashes, unique in the machine. */
  readonly tag: string;
  /** Absolute path. */
  readonly directory: string;
};

/** A machine as a value: everything that tells one from another. */
export type MachineSpec = {
  /** Host name inside, and the name in messages. */
  readonly name: string;
  /** SMBIOS UUID. */
  readonly uuid: string;
  readonly firmware: Firmware;
  readonly tpm: TpmInterface;
  readonly memoryMib: number;
  readonly cpus: number;
  readonly disks: readonly DiskSpec[];
  readonly forwards: readonly Forward[];
  readonly shares?: readonly ShareSpec[];
  /** Empty PCIe slots, for virtio and NVMe disks that are plugged in while it runs. Default none. */
  readonly slots?: number;
  /** Whose kernel it boots; default that of this computer's own release. Others need `scripts/setup --kernels`. */
  readonly kernel?: DebianRelease;
  /** Kernel modules to load besides those of the disks. */
  readonly modules?: readonly string[];
};

/** What makes a spec impossible, in words; empty when nothing does. */
export function specProblems(spec: MachineSpec): readonly string[] {
  const problems: string[] = [];
  const serials = new Set<string>();
  for (const disk of spec.disks) {
    if (!/^[A-Za-z0-9-]{1,20}$/.test(disk.serial)) problems.push(`disk serial ${disk.serial}`);
    if (serials.has(disk.serial)) problems.push(`two disks with serial ${disk.serial}`);
    serials.add(disk.serial);
    if (disk.driver === 'mmc' && !Number.isInteger(Math.log2(disk.sizeBytes))) {
      problems.push(`mmc disk ${disk.serial}: size is not a power of two`);
    }
  }
  if (spec.disks.filter((disk) => disk.driver === 'mmc').length > 1) problems.push('more than one mmc disk');
  const tags = spec.shares?.map(({ tag }) => tag) ?? [];
  for (const [index, tag] of tags.entries()) {
    if (!/^[A-Za-z0-9-]{1,36}$/.test(tag)) problems.push(`share ${tag}`);
    if (tags.indexOf(tag) !== index) problems.push(`two shares with tag ${tag}`);
  }
  if (!/^[a-z0-9-]{1,63}$/.test(spec.name)) problems.push(`name ${spec.name}`);
  return problems;
}
