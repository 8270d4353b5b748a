import { mounts } from '@nodecore/block';
import { join } from 'node:path';
import { Serial } from '@nodecore/waiting';

import { EntryDirectory } from './entry-directory.ts';
import { bootedEntry, type EntryStore, type StoredEntry } from './entries.ts';
import { UpgradeError } from './errors.ts';
import type { LoaderFacts } from './boot-partition.ts';

export type BootMenuParts = {
  /** The device of the EFI partition. @throws {UpgradeError} `ERR_UPGRADE_NOT_INSTALLED` */
  readonly device: () => Promise<string>;
  readonly loader: () => Promise<LoaderFacts>;
  /** Of what runs, as in file names. */
  readonly imageVersion: () => Promise<string>;
  /** Where it is mounted meanwhile. */
  readonly target: string;
  /** A directory in place of the partition, in tests. */
  readonly open?: () => Promise<EntryStore>;
};

/** An open boot menu, and the entry that runs. */
export type OpenMenu = { readonly store: EntryStore; readonly booted: StoredEntry };

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
      const { open, loader, imageVersion } = this.#parts;
      const mounted = open === undefined ? await this.#mount() : undefined;
      try {
        const store = mounted ?? (await open!());
        const { selected } = await loader();
        const facts = { selected, imageVersion: await imageVersion() };
        const booted = bootedEntry(await store.list(), facts);
        if (booted === undefined)
          throw new UpgradeError(
            'ERR_UPGRADE_NOT_INSTALLED',
            'no entry of the boot menu runs: machine is not installed',
          );
        return await work({ store, booted });
      } finally {
        if (mounted !== undefined) await mounts.unmount(this.#parts.target);
      }
    });
  }

  async #mount(): Promise<EntryStore> {
    const { device, target } = this.#parts;
    const source = await device();
    const listed = await mounts.list();
    // Left by an agent that was killed.
    if (listed.some((mount) => mount.target === target)) await mounts.unmount(target);
    const options = { nosuid: true, nodev: true, noexec: true };
    await mounts.mount({ source, target, type: 'vfat', options, data: { umask: '0077' } });
    return new EntryDirectory(join(target, 'EFI', 'Linux'));
  }
}
