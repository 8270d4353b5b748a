import { escapeComma } from './option-list.ts';

/** What a machine starts from. Paths are absolute, or relative to the machine's directory. */
export type BootSource =
  | {
      /** A Linux kernel that QEMU itself loads. */
      readonly kind: 'kernel';
      readonly kernel: string;
      readonly initrd?: string;
      /** The kernel's command line. */
      readonly arguments: string;
    }
  | {
      /** A unified kernel image, which has its own command line; needs UEFI. */
      readonly kind: 'uki';
      readonly file: string;
    }
  | {
      /** An image in a drive for CDs. */
      readonly kind: 'iso';
      readonly file: string;
      /** `disk`: only where nothing on the first of the machine's disks can be started; needs UEFI. */
      readonly after?: 'disk';
    }
  | {
      /** An image on a USB stick that can't be written. */
      readonly kind: 'usb';
      readonly file: string;
      /** As of `iso`. */
      readonly after?: 'disk';
    }
  /** The first of the machine's disks. */
  | { readonly kind: 'disk' }
  | {
      /** The first of its network cards, by PXE or UEFI's HTTP boot. */
      readonly kind: 'network';
      /** As of `iso`. */
      readonly after?: 'disk';
    };

/** In which order the firmware tries the disk, and what is not a disk; undefined: not at all. */
export function bootOrder(source: BootSource): { readonly disk?: number; readonly other?: number } {
  if (source.kind === 'disk') return { disk: 0 };
  return 'after' in source && source.after === 'disk' ? { disk: 0, other: 1 } : { other: 0 };
}

/** QEMU arguments for what is not on the machine's own disks and cards. */
export function bootArguments(source: BootSource): string[] {
  if (source.kind === 'kernel') {
    const initrd = source.initrd === undefined ? [] : ['-initrd', source.initrd];
    return ['-kernel', source.kernel, ...initrd, '-append', source.arguments];
  }
  if (source.kind === 'uki') return ['-kernel', source.file];
  if (source.kind === 'iso')
    return [
      ...media(source.file, ',media=cdrom'),
      '-device',
      `ide-cd,bus=ide.0,drive=boot-media,bootindex=${bootOrder(source).other}`,
    ];
  if (source.kind === 'usb') {
    const place = `bootindex=${bootOrder(source).other}`;
    const stick = `usb-storage,bus=boot-usb.0,drive=boot-media,removable=on,${place}`;
    return [...media(source.file), '-device', 'qemu-xhci,id=boot-usb', '-device', stick];
  }
  return []; // a boot index of the disk or the card
}

function media(file: string, more = ''): string[] {
  return ['-drive', `if=none,id=boot-media,file=${escapeComma(file)},format=raw,readonly=on${more}`];
}
