import type { Disk } from '@nodecore/block';
import { type Outcome, waitFor } from '@nodecore/runtime';
import { codeOf } from '@nodecore/sys';
import type { Latest } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { chooseDisk, type DiskScene } from './choose-disk.ts';
import type { Installs } from './installs.ts';
import type { InstallRequest, InstallRequests } from './requests.ts';
import { type UnattendedStatus, withEvent } from './unattended-status.ts';

export type UnattendedParts = {
  readonly log: Log;
  readonly requests: Pick<InstallRequests, 'value' | 'hold' | 'clear'>;
  readonly installs: Pick<Installs, 'install'>;
  readonly status: Latest<UnattendedStatus | undefined>;
  /** Undefined while the disks are still being looked at. */
  readonly scene: () => Promise<DiskScene | undefined>;
  /** Of what has booted. @throws {InstallError} */
  readonly image: () => Promise<string>;
  /** Whether the machine has a system disk whose META was read. */
  readonly hasSystem: () => boolean;
  /** Makes the configuration the persisted and active one. */
  readonly persist: (text: string) => Promise<void>;
  /** @throws {LifecycleError} while another sequence has the machine. */
  readonly reboot: () => void;
};

/** Disks may be slow to appear, and a registry to answer. */
const failedMs = 30_000;
const seenMs = 500;
/** What holds the machine may take minutes, or end it. */
const rebootMs = 5000;

/** The installation that a configuration asks for: once in a boot, onto the one disk that is meant. */
export class Unattended {
  readonly #parts: UnattendedParts;
  /** Once there is one nothing is installed any more in this boot. */
  #target: { readonly devPath: string; readonly version: string | undefined } | undefined;
  /** All is done but the reboot, which another sequence of the machine may hold up. */
  #isToReboot = false;

  constructor(parts: UnattendedParts) {
    this.#parts = parts;
  }

  /** Does what is next. @returns what it waits for. */
  async look(): Promise<Outcome> {
    const { requests, hasSystem } = this.#parts;
    const request = requests.value;
    if (request === undefined) return this.#reboot();
    requests.hold(true); // nobody takes it away while it is in use
    try {
      if (this.#target === undefined && !hasSystem()) {
        const waits = await this.#install(request);
        if (waits !== undefined) return waits;
      }
      return await this.#persist(request);
    } finally {
      requests.hold(this.#target !== undefined && requests.value !== undefined);
    }
  }

  async #install(request: InstallRequest): Promise<Outcome> {
    const { document } = request;
    const { status, scene, installs, image, log } = this.#parts;
    const { diskSelector, wipe } = document.provisioning;
    let disk: Disk | undefined;
    try {
      const known = await scene();
      if (known === undefined) return this.#pending('the disks are still being looked at');
      disk = chooseDisk(diskSelector.match, known);
      if (disk === undefined) return this.#pending(`no disk matches ${diskSelector.match.text}`);
      const { devPath } = disk;
      status.set({ phase: 'installing', disk: devPath });
      const order = {
        image: document.installer?.image ?? (await image()),
        expectedDigest: '',
        disk: devPath,
        wipe,
        dryRun: false,
        force: false,
      };
      log.warn({ disk: devPath, image: order.image, wipe }, 'the machine is being installed');
      await installs.install(order, (event) => status.set(withEvent(this.#installing(devPath), event)));
      log.warn({ disk: devPath }, 'the machine is installed');
      this.#target = { devPath, version: status.value?.version };
      return undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.error({ code: codeOf(error), err: error }, 'the machine is not installed');
      status.set({ phase: 'failed', message, ...(disk && { disk: disk.devPath }) });
      return waitFor(message, { retryMs: failedMs });
    }
  }

  /** Where it is installed there is a place for the configuration, when discovery has seen it. */
  async #persist({ document, text }: InstallRequest): Promise<Outcome> {
    const { requests, status, hasSystem, persist, log } = this.#parts;
    if (!hasSystem()) return waitFor('the new system disk is not seen yet', { retryMs: seenMs });
    const reboots =
      this.#target !== undefined && (document.reboot ?? document.installer?.image !== undefined);
    const target = this.#target && { disk: this.#target.devPath };
    const version = this.#target?.version;
    const facts = { ...target, ...(version !== undefined && { version }) };
    try {
      // Before it is active: nobody may begin a cluster on a machine that is about to go.
      status.set({ phase: reboots ? 'waitingForReboot' : 'installed', ...facts });
      await persist(text.bytes.toString('utf8'));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (codeOf(error) !== 'ERR_APPLY_CONFIGURED') {
        status.set({ phase: 'failed', ...facts, message: `the configuration is not persisted: ${message}` });
        throw error;
      }
      log.warn('STATE holds a configuration: the one that asked for an installation is not used');
    }
    requests.clear();
    this.#isToReboot = reboots;
    return this.#reboot();
  }

  #reboot(): Outcome {
    if (!this.#isToReboot) return undefined;
    try {
      this.#parts.reboot();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return waitFor(`the reboot into the new system: ${message}`, { retryMs: rebootMs });
    }
    this.#isToReboot = false;
    return undefined;
  }

  #pending(message: string): Outcome {
    this.#parts.status.set({ phase: 'pending', message });
    return waitFor(message, { retryMs: failedMs });
  }

  #installing(disk: string): UnattendedStatus {
    return { ...this.#parts.status.value, phase: 'installing', disk };
  }
}
