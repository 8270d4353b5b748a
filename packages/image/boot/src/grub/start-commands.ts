import { kernelArgument } from '@nodecore/config/kernel-arguments';
import type { View } from '@nodecore/view';

import { type EntryName, formatEntryName } from '../entry-name.ts';
import { BootError } from '../errors.ts';
import { imagePath, readyVariable } from './menu.ts';
import type { SlotName } from './slots.ts';

/** What GRUB tells the kernel of how it was started, by name. */
export const bootArguments: { readonly entry: string; readonly partition: string } = {
  entry: kernelArgument.bootEntry,
  partition: kernelArgument.bootPartition,
};

/** A section of an image: where it is in the file, and how many bytes of it are meant. */
export type ImageSection = {
  /** With its dot. */
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly virtualSize: number;
};

/** Reads the headers of an image, as `readPe` of `@nodecore/efi` does. */
export type ReadSections = (image: View) => Promise<{ readonly sections: readonly ImageSection[] }>;

export type StartOptions = {
  readonly slot: SlotName;
  /** Of the image, from the root of the partition; that of the slot by default. */
  readonly path?: string;
  readonly entry: EntryName;
  readonly readSections: ReadSections;
};

const sectorSizeBytes = 512;
/** COMMAND_LINE_SIZE of the kernel, with the zero at its end. */
const longestLine = 2048;
/** `os.boot.partition=` and a UUID. */
const partitionArgumentBytes = 56;

/**
 * GRUB's commands for an image: the file is taken for a disk, and kernel and initramfs are ranges of its sectors. So a
 * machine with a BIOS and one with UEFI start the same file, and what was proven of it holds for both.
 *
 * @throws {BootError} `ERR_BOOT_KERNEL` for an image that GRUB can't start, or whose command line it would change.
 */
export async function startCommands(
  image: View,
  { slot, path = imagePath(slot), entry, readSections }: StartOptions,
): Promise<string> {
  const { sections } = await readSections(image);
  const section = (name: string): ImageSection => {
    const found = sections.find((other) => other.name === name);
    if (found !== undefined) return found;
    throw new BootError('ERR_BOOT_KERNEL', `the image has no ${name}`);
  };
  const { imageVersion, sequence } = entry;
  const line = section('.cmdline');
  const lineSize = Math.min(line.size, line.virtualSize);
  const text = (await image.slice(line.offset, line.offset + lineSize).bytes()).toString('latin1');
  const words = [
    ...grubWords(text),
    `${bootArguments.entry}=${formatEntryName({ imageVersion, sequence })}`,
  ].map(quoted);
  const length = words.reduce((sum, word) => sum + word.length + 1, partitionArgumentBytes);
  if (length >= longestLine)
    throw new BootError('ERR_BOOT_KERNEL', `the command line has ${length} bytes: the kernel cuts it off`);
  const device = `uki_${slot}`;
  const initrds = sections.some(({ name }) => name === '.ucode') ? ['.ucode', '.initrd'] : ['.initrd'];
  return [
    `loopback ${device} ${path}`,
    `linux ${range(device, section('.linux'))} ${words.join(' ')} "${bootArguments.partition}=$boot_partition"`,
    // A \`set\` is always well: it must not hide that a command before it was not.
    `if initrd ${initrds.map((name) => range(device, section(name))).join(' ')}; then set ${readyVariable(slot)}=yes; fi`,
    '',
  ].join('\n');
}

/** Whole sectors: behind the section is padding, which neither a kernel nor an archive minds. */
function range(device: string, { name, offset, size, virtualSize }: ImageSection): string {
  if (offset % sectorSizeBytes !== 0)
    throw new BootError('ERR_BOOT_KERNEL', `${name} of the image begins inside a sector`);
  const sectors = Math.ceil(Math.min(size, virtualSize) / sectorSizeBytes);
  return `(${device})${offset / sectorSizeBytes}+${sectors}`;
}

/**
 * The arguments of a command line, each as GRUB has to be given it. It hands `a=b c` on as `"a=b c"`, which the kernel
 * reads as `a="b c"`.
 */
function grubWords(line: string): readonly string[] {
  if (!/^(?: |[!#-~]|"[ !#-~]*")*$/u.test(line))
    throw new BootError(
      'ERR_BOOT_KERNEL',
      'the command line has a lone quote, or what is no printable ASCII',
    );
  const words = line.trim().match(/(?:[^\s"]|"[^"]*")+/gu) ?? [];
  return words.map((word) => {
    const [, name, value] = /^([^"]+=)"([^"]*)"$/u.exec(word) ?? [];
    const plain = name === undefined ? word : `${name}${value}`;
    // In front of each of these GRUB puts a backslash, which stays in the argument.
    if (!/["'\\]/u.test(plain)) return plain;
    throw new BootError('ERR_BOOT_KERNEL', `GRUB can't hand over the kernel argument ${word}`);
  });
}

/** Nothing is special between single quotes but the quote itself, and that is in no word. */
function quoted(word: string): string {
  return `'${word}'`;
}
