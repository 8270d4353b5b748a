import { type BootFiles, type Channel, hasSecureBoot } from './boot-files.ts';
import { bootArguments, bootOrder, type BootSource } from './boot-source.ts';
import { diskArguments, slotArguments } from './disk-drivers.ts';
import { nicArguments } from './nic.ts';
import { escapeComma } from './option-list.ts';
import type { MachineSpec } from './spec.ts';

export type Accelerator = 'kvm' | 'tcg';

/**
 * An emulated processor that says that it copies strings fast (ERMS) does it byte by byte: the kernel clears each page with 4096
 * turns of a loop, and libc whatever is larger than a few KiB. Without that word both use vectors and wide words.
 */
const processors: Readonly<Record<Accelerator, string>> = { kvm: 'max', tcg: 'max,-erms' };

/** KVM's clock for guests has the time of this computer, whatever the machine's own says. */
const withoutHostClock = ',-kvmclock';

/** QEMU's command line for a machine. Pure: the same machine and files give the same line. */
export function qemuArguments(spec: MachineSpec, files: BootFiles, accelerator: Accelerator): string[] {
  const secureBoot = hasSecureBoot(spec.firmware);
  const boot: BootSource = spec.boot ?? { kind: 'disk' };
  const order = bootOrder(boot);
  return [
    ['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-vga', 'none'],
    ['-name', spec.name, '-uuid', spec.uuid],
    [
      '-machine',
      `q35,smm=${secureBoot ? 'on' : 'off'},vmport=off,hpet=off${machineOptions(spec, files, accelerator)}`,
    ],
    // Before every device whose memory it maps.
    spec.iommu === true ? ['-device', 'intel-iommu,intremap=on,device-iotlb=on'] : [],
    ['-accel', accelerator === 'kvm' ? 'kvm' : 'tcg,thread=multi,tb-size=512'],
    [
      '-cpu',
      `${processors[accelerator]}${accelerator === 'kvm' && spec.clock !== undefined ? withoutHostClock : ''}`,
    ],
    ['-smp', String(spec.cpus), '-m', String(spec.memoryMib)],
    firmwareArguments(files, secureBoot),
    numaArguments(spec),
    bootArguments(boot),
    // It may be emptied while the machine runs: what comes then is behind nothing.
    [
      '-chardev',
      `file,id=console,path=${escapeComma(files.console)},append=on`,
      '-serial',
      'chardev:console',
    ],
    portArguments(files),
    channelArguments('control', files.control),
    ['-mon', 'chardev=control,mode=control'],
    ['-device', 'virtio-rng-pci'],
    nicArguments(spec.nics ?? [], {
      descriptor: files.tap ?? noTap,
      ...(boot.kind === 'network' && { bootIndex: order.other }),
    }),
    slotArguments(spec.slots ?? 0),
    diskArguments(spec.disks, files.disk, {
      boots: order.disk !== undefined,
      ...(spec.durability && { durability: spec.durability }),
      ...(spec.controllers && { controllers: spec.controllers }),
    }),
    nvmeArguments(spec),
    tpmArguments(spec, files),
    shareArguments(spec, files),
    deviceArguments(spec),
  ].flat();
}

function noTap(index: number): never {
  throw new TypeError(`network card ${index} has no descriptor`);
}

function channelArguments(id: string, channel: Channel): string[] {
  const end =
    'descriptor' in channel
      ? `fd=${channel.descriptor}`
      : `path=${escapeComma(channel.socket)},server=on,wait=off`;
  return ['-chardev', `socket,id=${id},${end}`];
}

/** The firmware writes escape codes to the console; what programs exchange has ports of its own. */
function portArguments({ ports = new Map() }: BootFiles): string[] {
  if (ports.size === 0) return [];
  const each = [...ports].flatMap(([name, channel], index) => [
    ...channelArguments(`port${index}`, channel),
    '-device',
    `virtserialport,chardev=port${index},name=${name}`,
  ]);
  return ['-device', 'virtio-serial-pci', ...each];
}

function firmwareArguments(files: BootFiles, secureBoot: boolean): string[] {
  if (files.firmware === undefined) return [];
  const { code, variables } = files.firmware;
  const args = [
    ['-drive', `if=pflash,unit=0,format=raw,readonly=on,file=${escapeComma(code)}`],
    ['-drive', `if=pflash,unit=1,format=raw,file=${escapeComma(variables)}`],
  ];
  if (secureBoot) {
    args.push([
      '-global',
      'driver=cfi.pflash01,property=secure,value=on',
      '-global',
      'ICH9-LPC.disable_s3=1',
    ]);
  }
  return args.flat();
}

/**
 * QEMU's NVMe device tells the guest up to where it has looked for commands, and looks once more. Nothing keeps a processor from
 * doing the second first (7.2, `nvme_process_sq`), and a command that comes between lies there until the guest gives it up. The line
 * that is written of each tells it to nobody, and brings the two into order.
 */
function nvmeArguments({ disks, slots = 0 }: MachineSpec): string[] {
  if (slots === 0 && !disks.some(({ driver }) => driver === 'nvme')) return [];
  return ['-trace', 'enable=pci_nvme_eventidx_sq', '-D', '/dev/null'];
}

function tpmArguments(spec: MachineSpec, files: BootFiles): string[] {
  if (spec.tpm === 'none' || files.tpm === undefined) return [];
  return [
    ['-chardev', `socket,id=tpm,path=${escapeComma(files.tpm)}`],
    ['-tpmdev', 'emulator,id=tpm0,chardev=tpm', '-device', `tpm-${spec.tpm},tpmdev=tpm0`],
  ].flat();
}

function machineOptions({ iommu }: MachineSpec, { shares }: BootFiles, accelerator: Accelerator): string {
  // virtiofsd reads and writes the memory of the machine, which has to be shared with it.
  const memory = shares === undefined ? '' : ',memory-backend=ram';
  // KVM's own interrupt controller can't remap interrupts.
  return iommu === true && accelerator === 'kvm' ? `${memory},kernel-irqchip=split` : memory;
}

function numaArguments({ numaNodes = 1, cpus, memoryMib }: MachineSpec): string[] {
  if (numaNodes === 1) return [];
  const each = cpus / numaNodes;
  return Array.from({ length: numaNodes }, (_, node) => {
    const processors = each === 1 ? `${node}` : `${node * each}-${(node + 1) * each - 1}`;
    return [
      '-object',
      `memory-backend-ram,id=memory${node},size=${memoryMib / numaNodes}M`,
      '-numa',
      `node,nodeid=${node},cpus=${processors},memdev=memory${node}`,
    ];
  }).flat();
}

function shareArguments({ memoryMib }: MachineSpec, { shares }: BootFiles): string[] {
  if (shares === undefined) return [];
  const devices = [...shares].flatMap(([tag, socket]) => [
    ['-chardev', `socket,id=share-${tag},path=${escapeComma(socket)}`],
    ['-device', `vhost-user-fs-pci,chardev=share-${tag},tag=${tag}`],
  ]);
  return [['-object', `memory-backend-memfd,id=ram,size=${memoryMib}M,share=on`], ...devices].flat();
}

function deviceArguments({ uuid, watchdog, panicDevice, balloon, clock, controller }: MachineSpec): string[] {
  return [
    watchdog === undefined ? [] : ['-device', 'i6300esb', '-action', `watchdog=${watchdog}`],
    controller === true
      ? ['-device', `ipmi-bmc-sim,id=controller,guid=${uuid}`, '-device', 'isa-ipmi-kcs,bmc=controller']
      : [],
    panicDevice === true ? ['-device', 'pvpanic-pci'] : [],
    // deflate-on-oom: a guest that runs out of memory takes back what it lent.
    balloon === true ? ['-device', 'virtio-balloon-pci,deflate-on-oom=on'] : [],
    clock === undefined ? [] : ['-rtc', `base=${clock.toISOString().slice(0, 19)},clock=rt`],
  ].flat();
}
