import type { BootFailure, Entry } from '@nodecore/boot';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';

import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import type { BootMenu } from './boot-menu.ts';
import { readBootRecord, recordedEntry, withReason, writeBootRecord } from './boot-record.ts';
import { type CrashReport, readCrashReport, removeCrashReport } from './crash-report.ts';
import { entryId, entrySpec, versionOfEntry } from './entry-spec.ts';
import { UpgradeError } from './errors.ts';
import { type TellRelease, toldAsResource } from './release-status.ts';
import { upgrade, type UpgradeOrder, type UpgradeParts } from './upgrade.ts';
import type { UpgradeEvent } from './upgrade-event.ts';

export type UpgradesParts = {
  readonly log: Log;
  readonly menu: BootMenu;
  readonly lifecycle: Pick<Lifecycle, 'alone' | 'begin' | 'hasInit'>;
  /** Undefined while no system disk is known. */
  readonly meta: () => Meta | undefined;
  /** What an upgrade needs beside the menu. */
  readonly surroundings: () => Promise<Omit<UpgradeParts, 'log' | 'meta' | 'partition'>>;
  /** What a kernel that crashed has left; that of this machine unless given. */
  readonly crashReport?: () => Promise<CrashReport | undefined>;
  /** What has started the system that runs; the firmware unless given. */
  readonly startedBy?: () => Promise<'firmware' | 'kexec'>;
  /** Called with how far the last upgrade is. */
  readonly tellRelease?: TellRelease;
  /** Called with what the boot menu is like now. */
  readonly publish: (entries: ReadonlyMap<string, Json>, booted: Readonly<Record<string, Json>>) => void;
};

export type RollbackOptions = {
  /** Also to a release that did not come up, when there is no other. */
  readonly force?: boolean;
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
    const { log, menu, lifecycle, surroundings } = this.#parts;
    if (order.image === '')
      throw new UpgradeError('ERR_UPGRADE_REQUEST', 'the image of the installer is empty');
    const meta = this.#meta();
    const { tellRelease = () => {} } = this.#parts;
    const work = (told: (event: UpgradeEvent) => void): Promise<void> =>
      lifecycle.alone('upgrade', async (turn) => {
        const until = signal === undefined ? turn.signal : AbortSignal.any([signal, turn.signal]);
        const telling = (event: UpgradeEvent): void => {
          turn.enterPhase(event.phase);
          told({ ...event, actorId: turn.actorId });
        };
        await menu.with(async ({ partition }) => {
          const around = await surroundings();
          await upgrade({ ...around, log, meta, partition }, order, telling, until);
        });
      });
    await toldAsResource(tellRelease, tell, work);
    await this.refresh();
  }

  /**
   * Has the other good entry boot, by taking the starts from the one that runs, and reboots.
   *
   * @throws {UpgradeError} `ERR_UPGRADE_NO_OTHER` when there is none, or only bad ones; {LifecycleError}
   */
  async rollback({ force = false }: RollbackOptions = {}): Promise<RollbackResult> {
    const { menu, lifecycle, log } = this.#parts;
    // Without anybody to reboot the machine this says so, before anything is changed.
    if (!lifecycle.hasInit) lifecycle.begin('reboot', { takesOver: false });
    const { target: other, actorId } = await lifecycle.alone('rollback', (turn) =>
      menu.with(async ({ partition, booted }) => {
        const entries = await partition.entries();
        const target = await partition.rollback({ toBad: force }).catch((error: unknown) => {
          throw codeOf(error) === 'ERR_BOOT_NOT_FOUND' ? this.#noOther(entries) : error;
        });
        await this.#keepFailure(booted, { reason: `rolled back to ${versionOfEntry(target)}` });
        return { target, actorId: turn.actorId };
      }),
    );
    log.warn({ entry: other.name }, 'the other release boots next');
    lifecycle.begin('reboot', { takesOver: true, actorId });
    return { version: versionOfEntry(other), entry: other.name, actorId };
  }

  /** The release that runs has proven itself: its starts are counted no more. */
  async bless(): Promise<void> {
    await this.#parts.menu.with(async ({ partition, booted }) => {
      if (booted.state === 'good') return;
      await partition.bless();
      this.#parts.log.info({ entry: booted.name }, 'the release has proven itself');
    });
    await this.refresh();
  }

  /** Leaves a release that does not come up, with the reason for the one that boots then. */
  async giveUp(reason: string): Promise<void> {
    const { menu, log, lifecycle } = this.#parts;
    await menu
      .with(({ booted }) => this.#keepFailure(booted, { reason }))
      .catch((error: unknown) => {
        log.error({ code: codeOf(error), err: error }, 'the reason is not kept');
      });
    log.error({ reason }, 'the release does not come up: the machine boots anew');
    lifecycle.begin('reboot', { takesOver: true });
  }

  /** Publishes what the menu is like. @returns the entry that runs. */
  async refresh(): Promise<Entry> {
    const { menu, publish, meta, log, startedBy = async () => 'firmware' as const } = this.#parts;
    const by = await startedBy();
    return await menu.with(async ({ partition, booted }) => {
      const known = meta();
      const record = known === undefined ? undefined : readBootRecord(known, log);
      const entries = await partition.entries();
      const fallback = entries.find(({ isBooted, state }) => !isBooted && state === 'good');
      const specOf = (entry: Entry): Readonly<Record<string, Json>> =>
        entrySpec(entry, record && recordedEntry(record, entry)?.failure, { isFallback: entry === fallback });
      publish(new Map(entries.map((entry) => [entryId(entry), specOf(entry)])), {
        ...specOf(booted),
        startedBy: by,
      });
      return booted;
    });
  }

  /**
   * Keeps what a kernel that crashed has left, as the reason of the entry that it was of: the one that was started and did not come
   * up, and has no reason yet. With several of them nobody knows whose it was; it is in the log then.
   */
  async keepCrashReport(): Promise<void> {
    const { menu, log, crashReport = readCrashReport } = this.#parts;
    const report = await crashReport();
    if (report === undefined) return;
    const { reason } = report;
    const kept = await menu.with(async ({ partition }) => {
      const record = readBootRecord(this.#meta(), log);
      const failed = (await partition.entries())
        .filter(({ state, tries }) => state !== 'good' && (tries?.done ?? 0) > 0)
        .filter((entry) => recordedEntry(record, entry)?.failure === undefined);
      const [entry] = failed;
      if (entry === undefined || failed.length > 1) return undefined;
      await this.#keepFailure(entry, report);
      return entry.name;
    });
    log.error({ entry: kept, reason }, 'an earlier boot ended in a crash of the kernel');
    await removeCrashReport(report);
  }

  async #keepFailure(entry: Entry, { reason, log: lines }: BootFailure): Promise<void> {
    const meta = this.#meta();
    const failure = { reason, ...(lines !== undefined && { log: lines }) };
    await writeBootRecord(meta, withReason(readBootRecord(meta, this.#parts.log), entry, failure));
  }

  #noOther(entries: readonly Entry[]): UpgradeError {
    const bad = entries.find(({ isBooted, state }) => !isBooted && state === 'bad');
    if (bad === undefined) return new UpgradeError('ERR_UPGRADE_NO_OTHER', 'previous UKI not found');
    const reason = recordedEntry(readBootRecord(this.#meta(), this.#parts.log), bad)?.failure?.reason;
    const why = reason === undefined ? '' : `: ${reason}`;
    return new UpgradeError(
      'ERR_UPGRADE_NO_OTHER',
      `${bad.name} is the only other entry, and it is bad${why}`,
    );
  }

  #meta(): Meta {
    const meta = this.#parts.meta();
    if (meta === undefined) throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed');
    return meta;
  }
}
