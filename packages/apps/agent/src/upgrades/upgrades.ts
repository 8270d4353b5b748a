import { formatEntryName } from '@nodecore/boot';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';

import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import { readBootRecord, withReason, writeBootRecord } from './boot-record.ts';
import type { BootMenu } from './boot-menu.ts';
import {
  entryId,
  inMenuOrder,
  otherGoodEntry,
  stateOf,
  type StoredEntry,
  versionOfEntry,
} from './entries.ts';
import { UpgradeError } from './errors.ts';
import { upgrade, type UpgradeEvent, type UpgradeOrder, type UpgradeParts } from './upgrade.ts';

export type UpgradesParts = {
  readonly log: Log;
  readonly menu: BootMenu;
  readonly lifecycle: Pick<Lifecycle, 'alone' | 'begin'>;
  /** Undefined while no system disk is known. */
  readonly meta: () => Meta | undefined;
  /** What an upgrade needs beside the menu. */
  readonly surroundings: () => Promise<Omit<UpgradeParts, 'log' | 'meta' | 'store' | 'booted' | 'now'>>;
  /** Called with what the boot menu is like now. */
  readonly publish: (entries: ReadonlyMap<string, Json>, booted: Json) => void;
  readonly now: () => Date;
};

/** Where a rollback goes. */
export type RollbackResult = { readonly version: string; readonly entry: string; readonly actorId: string };

/** Upgrades and their way back: what the node may start, what it has started, and what becomes of it. */
export class Upgrades {
  readonly #parts: UpgradesParts;

  constructor(parts: UpgradesParts) {
    this.#parts = parts;
  }

  /** @throws before the first event when it may not begin: {UpgradeError}, {LifecycleError}. */
  async upgrade(
    order: UpgradeOrder,
    tell: (event: UpgradeEvent) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const { log, menu, lifecycle, surroundings, now } = this.#parts;
    if (order.image === '')
      throw new UpgradeError('ERR_UPGRADE_REQUEST', 'the image of the installer is empty');
    const meta = this.#meta();
    await lifecycle.alone('upgrade', async () => {
      const around = await surroundings();
      await menu.with(({ store, booted }) =>
        upgrade({ ...around, log, meta, store, booted, now }, order, tell, signal),
      );
    });
    await this.refresh();
  }

  /**
   * Has the other good entry boot, by taking the starts from the one that runs, and reboots.
   *
   * @throws {UpgradeError} `ERR_UPGRADE_NO_OTHER` when there is none, or only bad ones; {LifecycleError}
   */
  async rollback(): Promise<RollbackResult> {
    const { menu, lifecycle, log } = this.#parts;
    const meta = this.#meta();
    const { version, entry, from } = await lifecycle.alone('upgrade', () =>
      menu.with(async ({ store, booted }) => {
        const entries = await store.list();
        const other = otherGoodEntry(entries, booted);
        if (other === undefined) throw noOther(entries, booted, readBootRecord(meta, log).entries);
        const record = readBootRecord(meta, log);
        const reason = `rolled back to ${versionOfEntry(other.name)}`;
        await writeBootRecord(meta, withReason(record, entryId(booted.name), reason));
        await store.rename(booted.file, {
          ...booted.name,
          tries: { left: 0, done: booted.name.tries?.done ?? 0 },
        });
        return { version: versionOfEntry(other.name), entry: other.file, from: booted };
      }),
    );
    log.warn({ from: from.file, to: entry }, 'the other release boots next');
    try {
      return { version, entry, actorId: lifecycle.begin('reboot', { takesOver: true }) };
    } catch (error) {
      // It would come as a surprise with the next power cut.
      await menu.with(({ store, booted }) => store.rename(booted.file, from.name));
      throw error;
    }
  }

  /** The release that runs has proven itself: its starts are counted no more. */
  async bless(): Promise<void> {
    await this.#parts.menu.with(async ({ store, booted }) => {
      const { imageVersion, sequence, tries } = booted.name;
      if (tries === undefined) return;
      await store.rename(booted.file, { imageVersion, sequence });
      this.#parts.log.info(
        { entry: formatEntryName({ imageVersion, sequence }) },
        'the release has proven itself',
      );
    });
    await this.refresh();
  }

  /** Leaves a release that does not come up, with the reason for the one that boots then. */
  async giveUp(reason: string): Promise<void> {
    const { menu, log, lifecycle } = this.#parts;
    try {
      await menu.with(async ({ booted }) => {
        const meta = this.#meta();
        await writeBootRecord(meta, withReason(readBootRecord(meta, log), entryId(booted.name), reason));
      });
    } catch (error) {
      log.error({ code: codeOf(error), err: error }, 'the reason is not kept');
    }
    log.error({ reason }, 'the release does not come up: the machine boots anew');
    lifecycle.begin('reboot', { takesOver: true });
  }

  /** Publishes what the menu is like. @returns the entry that runs. */
  async refresh(): Promise<StoredEntry> {
    const { menu, publish, meta, log } = this.#parts;
    return await menu.with(async ({ store, booted }) => {
      const known = meta();
      const record = known === undefined ? undefined : readBootRecord(known, log);
      const specOf = ({ file, name, sizeBytes }: StoredEntry) => {
        const { reason, schematic, written } = record?.entries[entryId(name)] ?? {};
        const state = stateOf(name);
        const why =
          reason ??
          (state === 'bad' ? 'it was started as often as it may be, and did not come up' : undefined);
        return {
          entry: file,
          version: versionOfEntry(name),
          state,
          booted: file === booted.file,
          sizeBytes,
          ...(name.tries && { triesLeft: name.tries.left, triesDone: name.tries.done }),
          ...(schematic !== undefined && schematic !== '' && { schematic }),
          ...(written !== undefined && written !== '' && { written }),
          ...(why !== undefined && state !== 'good' && { reason: why }),
        };
      };
      const menuOrder = inMenuOrder(await store.list());
      publish(new Map(menuOrder.map((entry) => [entryId(entry.name), specOf(entry)])), specOf(booted));
      return booted;
    });
  }

  #meta(): Meta {
    const meta = this.#parts.meta();
    if (meta === undefined) throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed');
    return meta;
  }
}

function noOther(
  entries: readonly StoredEntry[],
  booted: StoredEntry,
  records: Readonly<Record<string, { readonly reason?: string }>>,
): UpgradeError {
  const bad = inMenuOrder(entries).find(({ file, name }) => file !== booted.file && stateOf(name) === 'bad');
  if (bad === undefined) return new UpgradeError('ERR_UPGRADE_NO_OTHER', 'previous UKI not found');
  const reason = records[entryId(bad.name)]?.reason;
  const why = reason === undefined ? '' : `: ${reason}`;
  return new UpgradeError('ERR_UPGRADE_NO_OTHER', `${bad.file} is the only other entry, and it is bad${why}`);
}
