import type { RigSpec } from './rig-spec.ts';

const gib = 1024 ** 3;
const mib = 1024 ** 2;

/**
 * The machine in which the vm rung runs the vm tests of the packages: large disks on the buses where volumes are made, a
 * second NVMe for tests of ambiguity, and a small disk on every other bus. All are blank.
 */
export const standardMachine: RigSpec = {
  name: 'standard',
  uuid: '6c1f0c2e-4f1d-4d0e-9a53-7b1e2d9c8f04',
  firmware: 'bios',
  tpm: 'none',
  memoryMib: 3072,
  // An emulated pair of processors spends more on flushing each other's TLBs than it gains (docs/rig.md).
  cpus: 1,
  disks: [
    { driver: 'virtio', sizeBytes: gib, serial: 'RIG-VIRTIO-0' },
    { driver: 'nvme', sizeBytes: gib, serial: 'RIG-NVME-0' },
    { driver: 'nvme', sizeBytes: gib, serial: 'RIG-NVME-1' },
    { driver: 'scsi', sizeBytes: gib, serial: 'RIG-SCSI-0' },
    { driver: 'ahci', sizeBytes: 256 * mib, serial: 'RIG-AHCI-0' },
    { driver: 'ide', sizeBytes: 256 * mib, serial: 'RIG-IDE-0' },
    { driver: 'usb', sizeBytes: 256 * mib, serial: 'RIG-USB-0' },
    { driver: 'megaraid', sizeBytes: 256 * mib, serial: 'RIG-MEGARAID-0' },
    { driver: 'mmc', sizeBytes: 256 * mib, serial: 'RIG-MMC-0' },
  ],
  forwards: [],
};

/** The environment of tests inside the standard machine: NODECORE_VM=1 and NODECORE_VM_DISKS, a JSON of disks by role. */
export function standardEnvironment(devices: ReadonlyMap<string, string>): Record<string, string> {
  const device = (serial: string): string => devices.get(serial) ?? '';
  const disks = {
    virtio: device('RIG-VIRTIO-0'),
    nvme: device('RIG-NVME-0'),
    nvme2: device('RIG-NVME-1'),
    scsi: device('RIG-SCSI-0'),
    ahci: device('RIG-AHCI-0'),
    ide: device('RIG-IDE-0'),
    usb: device('RIG-USB-0'),
    megaraid: device('RIG-MEGARAID-0'),
    mmc: device('RIG-MMC-0'),
  };
  return { NODECORE_VM: '1', NODECORE_VM_DISKS: JSON.stringify(disks), NODECORE_NEEDS: 'required' };
}
