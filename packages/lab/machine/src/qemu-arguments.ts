import { diskArguments, escapeComma, slotArguments } from './disk-drivers.ts';
import { hasSecureBoot } from './firmware.ts';
import type { DiskSpec, MachineSpec } from './spec.ts';

export type Accelerator = 'kvm' | 'tcg';

/** Files of one boot; relative paths are relative to the machine's state directory. */
export type BootFiles = {
  readonly kernel: string;
  readonly initrd: string;
  readonly console: string;
  readonly disk: (disk: DiskSpec) => string;
  /** UEFI code and variable store; absent with a BIOS. */
  readonly firmware?: { readonly code: string; readonly variables: string };
  /** The sockets of virtiofsd by tag; absent without shares. */
  readonly shares?: ReadonlyMap<string, string>;
  /** The control socket of swtpm; absent without a TPM. */
  readonly tpm?: string;
};

/** The descriptor through which QEMU and this process exchange the runner's frames. */
export const runnerDescriptor = 3;

/** The one of QEMU's control port. */
export const controlDescriptor = 4;

/** What runs the machine's processor. */
export type Processor = {
  readonly accelerator: Accelerator;
  /** The rate of the host's time stamp counter, which an emulated processor passes on. */
  readonly tickRateKhz?: number;
};

/** QEMU's command line for a machine. Pure: the same machine, files and processor give the same line. */
export function qemuArguments(
  spec: MachineSpec,
  files: BootFiles,
  { accelerator, tickRateKhz }: Processor,
): string[] {
  const secureBoot = hasSecureBoot(spec.firmware);
  return [
    ['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-vga', 'none'],
    ['-name', spec.name, '-uuid', spec.uuid],
    ['-machine', `q35,smm=${secureBoot ? 'on' : 'off'},vmport=off,hpet=off${memoryOption(files)}`],
    ['-accel', accelerator === 'kvm' ? 'kvm' : 'tcg,thread=multi,tb-size=512', '-cpu', 'max'],
    ['-smp', String(spec.cpus), '-m', String(spec.memoryMib)],
    firmwareArguments(files, secureBoot),
    ['-kernel', files.kernel, '-initrd', files.initrd, '-append', kernelCommandLine(tickRateKhz)],
    ['-serial', `file:${files.console}`],
    // The firmware writes escape codes to the console; results have a port of their own.
    ['-device', 'virtio-serial-pci', '-chardev', `socket,id=runner,fd=${runnerDescriptor}`],
    ['-device', 'virtserialport,chardev=runner,name=rig.runner'],
    ['-chardev', `socket,id=control,fd=${controlDescriptor}`, '-mon', 'chardev=control,mode=control'],
    ['-device', 'virtio-rng-pci'],
    ['-fsdev', 'local,id=host,path=/,security_model=none,readonly=on,multidevs=remap'],
    ['-device', 'virtio-9p-pci,fsdev=host,mount_tag=rig-host'],
    networkArguments(spec),
    slotArguments(spec.slots ?? 0),
    diskArguments(spec.disks, files.disk),
    tpmArguments(spec, files),
    shareArguments(spec, files),
  ].flat();
}

/**
 * panic=-1 with -no-reboot: a kernel that panics ends QEMU, so nobody waits for it. mitigations=off: guarding against
 * other guests costs an emulated CPU much and protects nothing here. tsc=reliable: with several emulated processors the
 * kernel would tell the time by the ACPI timer, a trap per call, and Node asks for the time all day.
 */
const kernelOptions =
  'console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off nokaslr random.trust_cpu=on no_timer_check tsc=reliable';

/**
 * tsc_early_khz: else the kernel measures the rate of the counter against the PIT, and believes the lowest of several results
 * (arch/x86/kernel/tsc.c). On a busy host QEMU waits for a processor now and then; just after the PIT was started, that makes the
 * result a fraction of the truth, and the machine's clock so many times too fast for as long as it is on.
 */
function kernelCommandLine(tickRateKhz: number | undefined): string {
  return tickRateKhz === undefined ? kernelOptions : `${kernelOptions} tsc_early_khz=${tickRateKhz}`;
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

function networkArguments(spec: MachineSpec): string[] {
  // restrict: the guest reaches nothing; forwarded ports of the loopback reach the guest.
  const forwards = spec.forwards.map(
    ({ host, guest }) => `,hostfwd=tcp:127.0.0.1:${host}-10.0.2.15:${guest}`,
  );
  return [
    '-netdev',
    `user,id=net,restrict=on${forwards.join('')}`,
    '-device',
    'virtio-net-pci,netdev=net,romfile=',
  ];
}

function tpmArguments(spec: MachineSpec, files: BootFiles): string[] {
  if (spec.tpm === 'none' || files.tpm === undefined) return [];
  return [
    ['-chardev', `socket,id=tpm,path=${escapeComma(files.tpm)}`],
    ['-tpmdev', 'emulator,id=tpm0,chardev=tpm', '-device', `tpm-${spec.tpm},tpmdev=tpm0`],
  ].flat();
}

/** virtiofsd reads and writes the memory of the machine, which has to be shared with it. */
function memoryOption({ shares }: BootFiles): string {
  return shares === undefined ? '' : ',memory-backend=ram';
}

function shareArguments({ memoryMib }: MachineSpec, { shares }: BootFiles): string[] {
  if (shares === undefined) return [];
  const devices = [...shares].flatMap(([tag, socket]) => [
    ['-chardev', `socket,id=share-${tag},path=${escapeComma(socket)}`],
    ['-device', `vhost-user-fs-pci,chardev=share-${tag},tag=${tag}`],
  ]);
  return [['-object', `memory-backend-memfd,id=ram,size=${memoryMib}M,share=on`], ...devices].flat();
}
