import type { View } from '@nodecore/view';

import { parseEntryName, formatEntryName, isSameEntry, type EntryName } from '../entry-name.ts';
import type { EntryFiles, ListedFile } from '../entry-files.ts';
import { BootError } from '../errors.ts';
import { formatEnvironment, parseEnvironment } from './environment.ts';
import { grubPaths, imagePath, startPath } from './menu.ts';
import { type SlotDisk, mountedSlots } from './slot-disk.ts';
import { environmentOf, type SlotName, slotNames, type Slots, slotsOf } from './slots.ts';
import { type ReadSections, startCommands } from './start-commands.ts';

/**
 * The entries of a mounted partition that GRUB starts from, under the names that they would have on an EFI system partition:
 * what is true of entries there is true of these. GRUB can't rename a file, so a name is what the environment says, and a
 * change of it one write of one sector; files are in two slots, and only one that no entry is in is ever written.
 *
 * @param root where the partition is mounted; needs root for changes.
 */
export function slotFiles(
  root: string,
  readSections: ReadSections,
  disk: SlotDisk = mountedSlots(root),
): EntryFiles {
  return new SlotFiles(readSections, disk);
}

class SlotFiles implements EntryFiles {
  readonly #readSections: ReadSections;
  readonly #disk: SlotDisk;
  /** What is being written, and where. */
  #part: { readonly name: string; readonly slot: SlotName } | undefined;

  constructor(readSections: ReadSections, disk: SlotDisk) {
    this.#readSections = readSections;
    this.#disk = disk;
  }

  async list(): Promise<readonly ListedFile[]> {
    const files: ListedFile[] = [];
    for (const [slot, entry] of await this.#slots()) {
      const sizeBytes = await this.#disk.sizeOf(imagePath(slot));
      if (sizeBytes !== undefined) files.push({ name: formatEntryName(entry), sizeBytes });
    }
    if (this.#part !== undefined) {
      const { name, slot } = this.#part;
      files.push({ name, sizeBytes: (await this.#disk.sizeOf(imagePath(slot))) ?? 0 });
    }
    return files;
  }

  async freeBytes(): Promise<number> {
    const slot = await this.#freeSlot();
    // What a crash left in a slot is overwritten.
    const left = slot === undefined ? undefined : await this.#disk.sizeOf(imagePath(slot));
    return (await this.#disk.freeBytes()) + (left ?? 0);
  }

  async write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const slot = await this.#freeSlot();
    if (slot === undefined) throw new BootError('ERR_BOOT_SPACE', 'both slots have an entry that is needed');
    await this.#empty(slot);
    this.#part = { name, slot };
    await this.#disk.write(imagePath(slot), chunks);
  }

  async sync(name: string): Promise<void> {
    await this.#disk.sync(imagePath(await this.#slotOf(name)));
  }

  async digest(name: string, signal?: AbortSignal): Promise<string> {
    return await this.#disk.digest(imagePath(await this.#slotOf(name)), signal);
  }

  async view(name: string): Promise<View> {
    return await this.#disk.view(imagePath(await this.#slotOf(name)));
  }

  async rename(from: string, to: string): Promise<void> {
    const slot = await this.#slotOf(from);
    const entry = parseEntryName(to);
    if (entry === undefined) throw new BootError('ERR_BOOT_NAME', `${to} is no name of an entry`);
    const slots = new Map(await this.#slots());
    if (this.#part?.name === from) {
      // Before the environment says that there is an entry: it must be one that starts.
      const image = await this.#disk.view(imagePath(slot));
      const commands = await startCommands(image, { slot, entry, readSections: this.#readSections });
      await this.#disk.write(startPath(slot), once(Buffer.from(commands)));
      await this.#disk.sync(startPath(slot));
      await this.#disk.syncAll();
      this.#part = undefined;
    }
    slots.set(slot, entry);
    await this.#save(slots);
  }

  async remove(name: string): Promise<void> {
    const slot = await this.#slotOf(name);
    if (this.#part?.name === name) this.#part = undefined;
    else {
      const slots = new Map(await this.#slots());
      slots.delete(slot);
      await this.#save(slots);
    }
    await this.#empty(slot);
  }

  async syncDirectory(): Promise<void> {
    await this.#disk.syncAll();
  }

  /** Nothing of the slot is started any more, from the moment that its commands are gone. */
  async #empty(slot: SlotName): Promise<void> {
    await this.#disk.remove(startPath(slot));
    await this.#disk.syncAll();
    await this.#disk.remove(imagePath(slot));
  }

  async #slots(): Promise<Slots> {
    const variables = parseEnvironment(await this.#disk.read(grubPaths.environment));
    if (variables !== undefined) return slotsOf(variables);
    throw new BootError(
      'ERR_BOOT_ENVIRONMENT',
      'grubenv is no environment of GRUB: nobody knows what is in the slots',
    );
  }

  async #freeSlot(): Promise<SlotName | undefined> {
    const slots = await this.#slots();
    return slotNames.find((slot) => !slots.has(slot));
  }

  async #slotOf(name: string): Promise<SlotName> {
    if (this.#part?.name === name) return this.#part.slot;
    const wanted: EntryName | undefined = parseEntryName(name);
    for (const [slot, entry] of await this.#slots())
      if (wanted !== undefined && isSameEntry(entry, wanted)) return slot;
    throw new BootError('ERR_BOOT_NOT_FOUND', `there is no entry ${name}`);
  }

  async #save(slots: Slots): Promise<void> {
    await this.#disk.overwrite(grubPaths.environment, formatEnvironment(environmentOf(slots)));
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
