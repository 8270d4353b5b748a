import type { BootPartition } from '@nodecore/boot';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import type { BootMenu } from './boot-menu.ts';
import { keepFailure, readBootRecord, recordedEntry } from './boot-record.ts';
import { type CrashReport, readCrashReport, removeCrashReport } from './crash-report.ts';
import { UpgradeError } from './errors.ts';

export type CrashReportsParts = {
  readonly log: Log;
  readonly menu: Pick<BootMenu, 'with'>;
  /** Undefined while no system disk is known. */
  readonly meta: () => Meta | undefined;
  /** What a boot that failed has left; that of this machine unless given. */
  readonly read?: () => Promise<CrashReport | undefined>;
};

/** META is opened a little after the menu is there, or can't be read at all: a report does not wait for it for ever. */
const looksForMeta = 12;

/** What kernels that crashed, and boots that PID 1 gave up, have left. Its lines are in the log in any case; nothing here keeps a release from being judged. */
export class CrashReports {
  readonly #parts: CrashReportsParts;
  #looks = 0;

  constructor(parts: CrashReportsParts) {
    this.#parts = parts;
  }

  /**
   * Keeps a report as the reason of the entry that it was of: the one that was started and did not come up, and has no reason yet. With
   * several of them nobody knows whose it was.
   *
   * @throws while there is no boot menu: {UpgradeError}; the caller tries again.
   */
  async keep(): Promise<void> {
    const report = await this.#read();
    if (report === undefined) return;
    const entry = await this.#parts.menu.with(({ partition }) => this.#blamed(partition, report));
    await this.#take(report, { entry }, 'an earlier boot has failed');
  }

  /** Before another release may be started: what is there now is of the one that runs, and must not be taken for a reason of the next. */
  async drop(): Promise<void> {
    const report = await this.#read();
    if (report !== undefined) await this.#take(report, {}, 'the kernel that runs had an error');
  }

  async #blamed(partition: BootPartition, report: CrashReport): Promise<string | undefined> {
    const { log } = this.#parts;
    const meta = this.#parts.meta();
    this.#looks += 1;
    if (meta === undefined && this.#looks < looksForMeta)
      throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'META is not read yet');
    try {
      if (meta === undefined) throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'META can not be read');
      const record = readBootRecord(meta, log);
      const [entry, ...others] = (await partition.entries())
        .filter(({ state, tries }) => state !== 'good' && (tries?.done ?? 0) > 0)
        .filter((each) => recordedEntry(record, each)?.failure === undefined);
      if (entry === undefined || others.length > 0) return undefined;
      await keepFailure(meta, entry, report, log);
      return entry.name;
    } catch (error) {
      log.warn({ code: codeOf(error), err: error }, 'why the boot failed is in the log alone');
      return undefined;
    }
  }

  async #read(): Promise<CrashReport | undefined> {
    const { log, read = readCrashReport } = this.#parts;
    try {
      return await read();
    } catch (error) {
      log.warn({ code: codeOf(error), err: error }, 'what a boot that failed has left can not be read');
      return undefined;
    }
  }

  /** A firmware that keeps its files has this boot go on, too: they are told again by the next. */
  async #take(report: CrashReport, facts: { readonly entry?: string | undefined }, message: string) {
    const { log } = this.#parts;
    log.error({ ...facts, reason: report.reason }, message);
    // One by one: the kernel's log cuts what is long.
    for (const line of report.log?.split('\n') ?? []) log.warn(`crash: ${line}`);
    try {
      await removeCrashReport(report);
    } catch (error) {
      log.warn({ code: codeOf(error), err: error }, 'the firmware keeps the report of a crash');
    }
  }
}
