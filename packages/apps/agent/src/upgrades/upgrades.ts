import type { BootFailure, Entry } from '@nodecore/boot';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';

import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import type { BegunRollback, RollbackOrder } from './begun-rollback.ts';
import type { BootMenu } from './boot-menu.ts';
import { keepFailure, readBootRecord, recordedEntry } from './boot-record.ts';
import type { CrashReport } from './crash-report.ts';
import { CrashReports } from './crash-reports.ts';
import { entryId, entrySpec, versionOfEntry } from './entry-spec.ts';
import { UpgradeError } from './errors.ts';
import { takeBackChoices } from './menu-choices.ts';
import { type TellRelease, toldAsResource } from './release-status.ts';
import { upgrade, type UpgradeOrder, type UpgradeParts } from './upgrade.ts';
import type { UpgradeEvent } from './upgrade-event.ts';

export type UpgradesParts = {
  readonly log: Log;
  readonly menu: BootMenu;
  readonly lifecycle: Pick<Lifecycle, 'alone' | 'begin' | 'hasInit' | 'sequence'>;
  /** Where a rollback is kept until the machine boots anew. */
  readonly begunRollback: BegunRollback;
  /** Undefined while no system disk is known. */
  readonly meta: () => Meta | undefined;
  /** What an upgrade needs beside the menu. */
  readonly surroundings: () => Promise<Omit<UpgradeParts, 'log' | 'meta' | 'partition' | 'takeBackChoices'>>;
  /** As of {@link UpgradeParts}; of this machine's firmware unless given. */
  readonly takeBackChoices?: () => Promise<void>;
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
  readonly #crashes: CrashReports;
  /** A rollback has taken the starts from the release that runs: the machine is about to reboot. */
  #isLeft = false;

  constructor(parts: UpgradesParts) {
    const { log, menu, meta, crashReport } = parts;
    this.#parts = parts;
    this.#crashes = new CrashReports({ log, menu, meta, ...(crashReport && { read: crashReport }) });
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
        if (!order.dryRun) await this.#crashes.drop();
        await menu.with(async ({ partition }) => {
          const around = await surroundings();
          const takeBackChoices = (): Promise<void> => this.#takeBackChoices();
          await upgrade({ ...around, log, meta, partition, takeBackChoices }, order, telling, until);
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
    const { menu, lifecycle, log, begunRollback } = this.#parts;
    // Without anybody to reboot the machine this says so, before anything is changed.
    if (!lifecycle.hasInit) lifecycle.begin('reboot', { takesOver: false });
    const { target: other, actorId } = await lifecycle.alone('rollback', async (turn) => {
      await this.#crashes.drop();
      return await menu.with(async ({ partition, booted }) => {
        const entries = await partition.entries();
        await this.#takeBackChoices(); // when the firmware refuses, nothing else is changed
        await this.#begin({ force, isSwitched: false });
        const target = await partition.rollback({ toBad: force }).catch(async (error: unknown) => {
          await begunRollback.clear();
          throw codeOf(error) === 'ERR_BOOT_NOT_FOUND' ? this.#noOther(entries) : error;
        });
        this.#isLeft = true;
        await this.#begin({ force, isSwitched: true });
        // The menu is switched: without the reboot that follows, what was left would run on.
        const reason = `rolled back to ${versionOfEntry(target)}`;
        await this.#keepFailure(booted, { reason }).catch((error: unknown) => this.#tellNotKept(error));
        return { target, actorId: turn.actorId };
      });
    });
    log.warn({ entry: other.name }, 'the other release boots next');
    // Who shuts the machine down meanwhile has it off, and the other release when it is on again.
    if (lifecycle.sequence !== 'shutdown') lifecycle.begin('reboot', { takesOver: true, actorId });
    return { version: versionOfEntry(other), entry: other.name, actorId };
  }

  /** Goes on with a rollback in which the agent before this one has died: what it left must not be blessed. Never rejects. */
  async resumeRollback(): Promise<void> {
    const { begunRollback, lifecycle, log, menu } = this.#parts;
    if (this.#isLeft) return;
    try {
      const begun = await begunRollback.read();
      if (begun === undefined) return;
      // Disks may be slow to appear: until then nothing that runs is taken over.
      if (!begun.isSwitched) await menu.with(async () => {});
      log.warn(begun, 'a rollback that an agent has begun which is no more goes on');
      if (!begun.isSwitched) return void (await this.rollback(begun));
      this.#isLeft = true;
      if (lifecycle.sequence !== 'shutdown') lifecycle.begin('reboot', { takesOver: true });
    } catch (error) {
      log.error({ code: codeOf(error), err: error }, 'a rollback does not go on');
    }
  }

  /**
   * The release that runs has proven itself: its starts are counted no more.
   *
   * @returns false when a rollback has left it meanwhile, which a blessing would undo.
   */
  async bless(): Promise<boolean> {
    const isBlessed = await this.#parts.menu.with(async ({ partition, booted }) => {
      if (this.#isLeft) return false;
      if (booted.state === 'good') return true;
      await partition.bless();
      this.#parts.log.info({ entry: booted.name }, 'the release has proven itself');
      return true;
    });
    if (isBlessed) await this.refresh();
    return isBlessed;
  }

  /** Leaves a release that does not come up, with the reason for the one that boots then. */
  async giveUp(reason: string): Promise<void> {
    const { menu, log, lifecycle } = this.#parts;
    if (this.#isLeft) return; // it reboots, and the reason is another one
    await menu
      .with(({ booted }) => this.#keepFailure(booted, { reason }))
      .catch((error: unknown) => this.#tellNotKept(error));
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

  /** As {@link CrashReports.keep}. */
  async keepCrashReport(): Promise<void> {
    await this.#crashes.keep();
  }

  async #takeBackChoices(): Promise<void> {
    const { log, takeBackChoices: take = () => takeBackChoices(log) } = this.#parts;
    await take();
  }

  async #keepFailure(entry: Entry, failure: BootFailure): Promise<void> {
    await keepFailure(this.#meta(), entry, failure, this.#parts.log);
  }

  /** A rollback is worth more than what is kept of it. */
  async #begin(order: RollbackOrder): Promise<void> {
    const { begunRollback, log } = this.#parts;
    await begunRollback.keep(order).catch((error: unknown) => {
      log.error(
        { code: codeOf(error), err: error },
        'the rollback is not kept for the case that the agent ends',
      );
    });
  }

  /** What boots next does not depend on META. */
  #tellNotKept(error: unknown): void {
    this.#parts.log.error({ code: codeOf(error), err: error }, 'the reason is not kept');
  }

  #noOther(entries: readonly Entry[]): UpgradeError {
    const bad = entries.find(({ isBooted, state }) => !isBooted && state === 'bad');
    if (bad === undefined) return new UpgradeError('ERR_UPGRADE_NO_OTHER', 'previous UKI not found');
    const meta = this.#parts.meta();
    const record = meta && readBootRecord(meta, this.#parts.log);
    const reason = record && recordedEntry(record, bad)?.failure?.reason;
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
