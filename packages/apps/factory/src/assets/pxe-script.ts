import { FactoryError } from '../errors.ts';
import type { System } from './asset.ts';

/** COMMAND_LINE_SIZE of the kernel, with the zero at its end. */
const maxSizeBytes = 2048;

export type PxeScriptOptions = {
  /** Where the images of the schematic and the release are, without a slash at the end. */
  readonly base: string;
  /** Behind each address, as `?token=…`. */
  readonly query: string;
  /** Command line of the kernel. */
  readonly line: string;
};

/**
 * The script by which iPXE starts an image; with Secure Boot the unified image, whose own command line counts.
 *
 * @throws {FactoryError} with `ERR_FACTORY_UNSUPPORTED` for a command line that the kernel would not get as it is.
 */
export function pxeScript(
  { platform, architecture, isSecureBoot }: System,
  { base, query, line }: PxeScriptOptions,
): string {
  const initramfs = `initramfs-${architecture}.xz`;
  // By UEFI a kernel finds its initramfs by this name alone.
  const all = isSecureBoot ? line : `initrd=${initramfs} ${line}`;
  assertHandedOver(all);
  const start = isSecureBoot
    ? [`kernel ${base}/${platform.name}-${architecture}-secureboot-uki.efi${query} ${all}`]
    : [`kernel ${base}/kernel-${architecture}${query} ${all}`, `initrd ${base}/${initramfs}${query}`];
  return ['#!ipxe', 'imgfree', ...start, 'boot', ''].join('\n');
}

/** iPXE has variables, comments, and words between commands, and no way to say that something is none of them. */
function assertHandedOver(line: string): void {
  const size = Buffer.byteLength(line);
  if (size >= maxSizeBytes) refuse(`the command line has ${size} bytes: the kernel cuts it off behind 2047`);
  const words = line.split(' ');
  const changed = words.find((word) => word.includes('${') || /^(?:&&|\|\||;|#.*)$/.test(word));
  if (changed !== undefined) refuse(`iPXE would read the kernel argument ${changed} as its own`);
  // Of the last word it would be the beginning of the next line.
  const last = words.at(-1) ?? '';
  if (last.endsWith('\\')) refuse(`iPXE can't hand over the kernel argument ${last} at the end of a line`);
}

function refuse(why: string): never {
  throw new FactoryError('ERR_FACTORY_UNSUPPORTED', `iPXE: ${why}`);
}
