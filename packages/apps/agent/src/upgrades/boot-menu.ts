import { join } from 'node:path';

import { mounts } from '@nodecore/block';
import {
  BootPartition,
  directoryFiles,
  type Entry,
  entryDirectory,
  type EntryName,
  slotFiles,
} from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import { Serial } from '@nodecore/waiting';

import type { LoaderFacts } from './boot-partition.ts';
import { UpgradeError } from './errors.ts';

export type BootMenuParts = {
  /** The device of the partition with the entries. @throws {UpgradeError} `ERR_UPGRADE_NOT_INSTALLED` */
  readonly device: () => Promise<string>;
  readonly loader: () => Promise<LoaderFacts>;
  /** Of what runs, as in file names. */
  readonly imageVersion: () => Promise<string>;
  /** Where it is mounted meanwhile. */
  readonly target: string;
  /** In place of the mounted partition, in tests. */
  readonly open?: (booted: EntryName | undefined) => BootPartition;
};

/** The open boot menu, and the entry that runs. */
export type OpenMenu = {
  readonly partition: BootPartition;
  readonly booted: Entry;
  /** Where the partition is mounted meanwhile. */
  readonly root: string;
};

/** The boot menu of the machine. The partition is mounted only while it is read or changed, by one at a time. */
export class BootMenu {
  readonly #parts: BootMenuParts;
  readonly #turn = new Serial();

  constructor(parts: BootMenuParts) {
    this.#parts = parts;
  }

  /** @throws {UpgradeError} `ERR_UPGRADE_NOT_INSTALLED` when the machine was not started from an entry of its own disk. */
  with<T>(work: (menu: OpenMenu) => Promise<T>): Promise<T> {
    return this.#turn.run(async () => {
      const { target, open } = this.#parts;
      if (open === undefined) await this.#mount();
      try {
        return await work(await this.#opened());
      } finally {
        if (open === undefined) await mounts.unmount(target);
      }
    });
  }

  async #opened(): Promise<OpenMenu> {
    const { loader, imageVersion, target } = this.#parts;
    const { selected, loader: by } = await loader();
    const files = by === 'grub' ? slotFiles(target, readPe) : directoryFiles(join(target, entryDirectory));
    const { open = (booted) => new BootPartition(files, booted) } = this.#parts;
    const version = await imageVersion();
    // Without the boot loader's word: the first of the menu with the version that runs.
    const named = selected ?? (await open(undefined).entries()).find((each) => each.imageVersion === version);
    const partition = open(named);
    const booted = (await partition.entries()).find(({ isBooted }) => isBooted);
    if (booted !== undefined) return { partition, booted, root: target };
    throw new UpgradeError(
      'ERR_UPGRADE_NOT_INSTALLED',
      'no entry of the boot menu runs: machine is not installed',
    );
  }

  async #mount(): Promise<void> {
    const { device, target } = this.#parts;
    const source = await device();
    const listed = await mounts.list();
    // Left by an agent that was killed.
    if (listed.some((mount) => mount.target === target)) await mounts.unmount(target);
    const options = { nosuid: true, nodev: true, noexec: true };
    await mounts.mount({ source, target, type: 'vfat', options, data: { umask: '0077' } });
  }
}
