import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MachineSpec } from '../src/index.ts';

/** Programs for the first sector of a disk, which the firmware runs as they are (16-bit code for q35). */
const programs = {
  /** Says R on the console and waits for the power button, then switches the machine off by its ACPI register. */
  obedient: 'ba0206b80001ef baf803b052ee ba0006ed a9000174fa ba0406b80020eff4ebfd',
  /** Says R, and takes no notice of anything. */
  deaf: 'baf803b052ee f4ebfd',
  /** Says by the port of an ISA pvpanic that its kernel gave up. */
  panicking: 'ba0505b001ee f4ebfd',
  /** Counts to 2^27, and resets the machine by the keyboard controller: QEMU has answered by then that the machine runs. */
  resetting: '66b900000008 67e2fd b0fee664f4ebfd',
} as const;

/** A machine whose whole software is a few instructions; it is up in less than a second. */
export async function tinyMachine(directory: string, program: keyof typeof programs): Promise<MachineSpec> {
  const sector = Buffer.alloc(1 << 20);
  Buffer.from(programs[program].replaceAll(' ', ''), 'hex').copy(sector);
  sector.writeUInt16LE(0xaa55, 510);
  await writeFile(join(directory, 'boot.disk'), sector);
  return {
    name: 'tiny',
    uuid: '3f2c1b0a-7d64-4e0b-9a51-0c6f8e2d4b17',
    firmware: 'bios',
    tpm: 'none',
    memoryMib: 32,
    cpus: 1,
    disks: [{ driver: 'virtio', sizeBytes: 1 << 20, serial: 'TINY', file: 'boot.disk' }],
  };
}
