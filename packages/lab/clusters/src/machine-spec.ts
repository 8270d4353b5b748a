import type { MachineSpec } from '@nodecore/machine';

import type { ClusterPlan, PlannedNode } from './plan.ts';

/** UEFI's variables without any key: the machine is in setup mode, and takes those that the image brings. */
const withoutKeys = '/usr/share/OVMF/OVMF_VARS_4M.fd';

/** The machine of a planned node. Pure. */
export function machineOf({ lan, request }: ClusterPlan, node: PlannedNode): MachineSpec {
  const secure = request.presets.includes('secureboot');
  return {
    name: node.name,
    uuid: node.uuid,
    tpm: secure ? 'crb' : 'none',
    // What volumes are sealed to. Each other bank would cost an emulated firmware the hash of all that it starts.
    pcrBanks: ['sha256'],
    memoryMib: node.memoryMib,
    cpus: node.cpus,
    disks: node.disks,
    networkNamespace: `/run/netns/${lan.namespace}`,
    nics: [{ backend: { kind: 'tap', interface: node.tap }, mac: node.mac, mtu: lan.mtu }],
    panicDevice: true,
    balloon: true,
    ...(secure
      ? { firmware: 'uefi-secure-boot', variableStore: { from: withoutKeys } }
      : request.uefi
        ? { firmware: 'uefi', variableStore: {} }
        : { firmware: 'bios' }),
  };
}
