import { View } from '@nodecore/view';

import { type EntryName, formatEntryName } from '../entry-name.ts';
import { BootError } from '../errors.ts';
import { entryDirectory, type EspFile } from '../esp-files.ts';
import { formatEnvironment } from './environment.ts';
import { grubMediumMenu, grubMenu, grubPaths, imagePath, startPath } from './menu.ts';
import { environmentOf, slotNames } from './slots.ts';
import { type ReadSections, startCommands } from './start-commands.ts';

export type GrubFilesOptions = {
  readonly entry: EntryName & { readonly uki: View };
  readonly readSections: ReadSections;
};

/**
 * The partition BOOT, which GRUB reads when a BIOS has started it: in disk images and after an installation the same.
 *
 * @param options `entries`: as many as there are slots, two.
 * @throws {BootError} `ERR_BOOT_KERNEL` for an image that GRUB can't start, or whose command line it would change;
 *   `ERR_BOOT_SPACE` for more entries than slots.
 */
export async function grubFiles({
  entries,
  readSections,
}: Pick<GrubFilesOptions, 'readSections'> & {
  readonly entries: readonly GrubFilesOptions['entry'][];
}): Promise<readonly EspFile[]> {
  if (entries.length > slotNames.length)
    throw new BootError('ERR_BOOT_SPACE', `${entries.length} entries, and ${slotNames.length} slots`);
  const slots = new Map(entries.map((entry, index) => [slotNames[index]!, entry]));
  const files = await Promise.all(
    Array.from(slots, async ([slot, entry]) => [
      text(startPath(slot), await startCommands(entry.uki, { slot, entry, readSections })),
      { path: imagePath(slot), content: entry.uki },
    ]),
  );
  return [
    text(grubPaths.menu, grubMenu()),
    text(grubPaths.environment, formatEnvironment(environmentOf(slots))),
    ...files.flat(),
  ];
}

/**
 * What GRUB reads of a medium that nobody writes to, beside the files for UEFI: it starts the same image.
 *
 * @throws {BootError} as {@link grubFiles}.
 */
export async function grubMediumFiles({
  entry,
  readSections,
}: GrubFilesOptions): Promise<readonly EspFile[]> {
  const [slot] = slotNames;
  const path = `${entryDirectory}/${formatEntryName(entry)}`;
  return [
    text(grubPaths.menu, grubMediumMenu()),
    text(startPath(slot), await startCommands(entry.uki, { slot, path, entry, readSections })),
  ];
}

function text(path: string, content: string | Uint8Array): EspFile {
  return { path, content: View.of(typeof content === 'string' ? Buffer.from(content) : content) };
}
