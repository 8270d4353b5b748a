import { isUrl } from './url-flag.ts';

/** A kernel, its first filesystem, and its command line. They may change while the machine is off. */
export type KernelImage = {
  readonly kernel: string;
  readonly initrd: string;
  readonly arguments: string;
};

/** The system disk begins with it. */
export type DiskImage = { readonly url: string } | { readonly path: string };

/** The URL of an ISO image, or a path of this computer. */
export type CdImage = { readonly iso: string };

/** The URL of an image for a USB stick, or a path of this computer. */
export type StickImage = { readonly usb: string };

/** A unified kernel image of this computer, which UEFI starts every time; whatever is on the disks is not started. */
export type UkiImage = { readonly uki: string };

/** The root of containers: a squashfs, or a first filesystem with one, by its path or URL. */
export type RootImage = { readonly root: string };

/** The URL of a script for iPXE, as a factory writes it. */
export type NetworkImage = { readonly pxe: string };

/**
 * What the nodes start from: the image of the system disk; a kernel that QEMU itself or the firmware loads; or, wherever nothing on the
 * system disk can be started, a CD, a USB stick or the network.
 */
export type BootImage = DiskImage | KernelImage | UkiImage | CdImage | StickImage | NetworkImage | RootImage;

/** Whether the system disk begins with an image. */
export function isOnDisk(image: BootImage): image is DiskImage {
  return 'url' in image || 'path' in image;
}

/** Whether the machines start from a CD, a stick or the network until something is installed on their disks, which are blank. */
export function isInstaller(image: BootImage): image is CdImage | StickImage | NetworkImage {
  return 'iso' in image || 'usb' in image || 'pxe' in image;
}

/** The image of a system disk, by what names it. */
export function diskImage(source: string): DiskImage {
  return isUrl(source) ? { url: source } : { path: source };
}
