import type { BootSource, DiskSpec, Forward, MachineSpec, Nic } from '@nodecore/machine';

import { isKept, mediumName, ukiName } from './boot-files.ts';
import type { BootImage } from './boot-image.ts';
import { type ClusterPlan, type PlannedNode } from './plan.ts';
import { apiPort } from './ports.ts';
import { isSecure } from './presets.ts';
import type { ClusterRequest } from './request.ts';

/** UEFI's variables without any key: the machine is in setup mode, and takes those that the image brings. */
const withoutKeys = '/usr/share/OVMF/OVMF_VARS_4M.fd';

/** For disks that are attached while a machine runs. */
const slots = 4;

/** The machine of a planned node. Pure. @param attached disks that it has besides the planned ones */
export function machineOf(
  { lan, request }: ClusterPlan,
  node: PlannedNode,
  attached: readonly DiskSpec[] = [],
): MachineSpec {
  const secure = isSecure(request.presets);
  const boot = bootOf(request.image);
  const { hardware = {} } = request;
  return {
    name: node.name,
    uuid: node.uuid,
    ...tpmOf(request, secure),
    memoryMib: node.memoryMib,
    cpus: node.cpus,
    disks: [...node.disks, ...attached],
    slots,
    controllers: ['usb'],
    nics: nicsOf(lan, node, request.forwards),
    ...(boot !== undefined && { boot }),
    ...(hardware.numaNodes !== undefined && { numaNodes: hardware.numaNodes }),
    ...(request.firmwarePaths !== undefined && { firmwarePaths: request.firmwarePaths }),
    ...(hardware.iommu === true && { iommu: true }),
    ...(hardware.clock !== undefined && { clock: new Date(hardware.clock) }),
    ...(request.ipmi === true && { controller: true as const }),
    panicDevice: true,
    balloon: true,
    ...(secure
      ? { firmware: 'uefi-secure-boot', variableStore: { from: withoutKeys } }
      : request.uefi
        ? { firmware: 'uefi', variableStore: {} }
        : { firmware: 'bios' }),
  };
}

function tpmOf(
  { tpm, tpmVersion }: ClusterRequest,
  secure: boolean,
): Pick<MachineSpec, 'tpm' | 'tpmVersion' | 'pcrBanks'> {
  if (tpmVersion === '1.2' && !secure) return { tpm: 'tis', tpmVersion };
  // What volumes are sealed to. Each other bank would cost an emulated firmware the hash of all that it starts.
  return { tpm: secure || tpm === true ? 'crb' : 'none', pcrBanks: ['sha256'] };
}

/** The boot files of all machines lie in the cluster's directory, two above each machine's. */
const boot = '../../boot';
const medium = `${boot}/${mediumName}`;

/** Undefined: from the disk. What is not on it comes after it, so that what is installed there is started. */
function bootOf(image: BootImage): BootSource | undefined {
  if ('kernel' in image) return { kind: 'kernel', ...image };
  if ('iso' in image) return { kind: 'iso', file: medium, after: 'disk' };
  if ('usb' in image) return { kind: 'usb', file: medium, after: 'disk' };
  if ('uki' in image) return { kind: 'uki', file: isKept(image.uki) ? `${boot}/${ukiName}` : image.uki };
  return 'pxe' in image ? { kind: 'network', after: 'disk' } : undefined;
}

function nicsOf(
  lan: ClusterPlan['lan'],
  { tap, mac, links = [{ tap, mac }], door }: PlannedNode,
  more: readonly Forward[] = [],
): readonly Nic[] {
  if (lan === undefined)
    return [{ backend: { kind: 'user', forwards: [{ host: door.port, guest: apiPort }, ...more] }, mac }];
  return links.map((each) => ({
    backend: { kind: 'tap', interface: each.tap },
    mac: each.mac,
    mtu: lan.mtu,
  }));
}
