import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { UpgradeEvent } from '../upgrades/upgrade-event.ts';
import { type TellRelease, toldAsResource } from '../upgrades/release-status.ts';
import { InstallError } from './errors.ts';
import { install, type InstallOrder, type InstallParts } from './install.ts';

export type InstallsParts = {
  readonly lifecycle: Pick<Lifecycle, 'alone'>;
  /** The system disk, or why it is not known whether there is one; undefined when there is none. @throws {InstallError} */
  readonly systemDisk: () => string | undefined;
  /** What an installation needs. @throws {InstallError} `ERR_INSTALL_HOST` */
  readonly surroundings: () => Promise<InstallParts>;
  /** Called with how far the last installation is. */
  readonly tellRelease?: TellRelease;
  readonly run?: typeof install;
};

/** Installations of the system: one at a time, none beside an upgrade, and none on a machine that has one. */
export class Installs {
  readonly #parts: InstallsParts;
  /** A disk that was made the system disk in this boot: discovery may take a moment to see it. */
  #installed: string | undefined;
  #hasBegun = false;

  constructor(parts: InstallsParts) {
    this.#parts = parts;
  }

  /** Whether a system disk is one that this boot has begun to write: what the machine had before is not known by it. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** @throws {InstallError} `ERR_INSTALL_INSTALLED`: the machine has a system disk, or just got one. */
  requireNone(): void {
    const disk = this.#installed ?? this.#parts.systemDisk();
    if (disk !== undefined)
      throw new InstallError(
        'ERR_INSTALL_INSTALLED',
        `the system is installed on ${disk}: osctl upgrade, or reset it`,
      );
  }

  /** @throws before the first event when it may not begin: {InstallError}, {LifecycleError}. */
  async install(
    order: InstallOrder,
    tell: (event: UpgradeEvent) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    this.requireNone();
    const { lifecycle, surroundings, tellRelease = () => {}, run = install } = this.#parts;
    await toldAsResource(tellRelease, tell, (told) =>
      lifecycle.alone('install', async (turn) => {
        this.requireNone(); // it may have waited for another one
        const until = signal === undefined ? turn.signal : AbortSignal.any([signal, turn.signal]);
        const telling = (event: UpgradeEvent): void => {
          turn.enterPhase(event.phase);
          told({ ...event, actorId: turn.actorId });
        };
        const parts = await surroundings();
        this.#hasBegun ||= !order.dryRun;
        await run(parts, order, telling, until);
        if (!order.dryRun) this.#installed = order.disk;
      }),
    );
  }
}
