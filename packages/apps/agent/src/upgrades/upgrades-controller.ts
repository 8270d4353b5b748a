import type { Entry } from '@nodecore/boot';
import { atStart, type Controller, type Outcome, onEach, together, waitFor } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import type { Latest } from '@nodecore/waiting';

import { machineStatuses } from '../lifecycle/definitions.ts';
import type { MachineStatus } from '../lifecycle/machine-status.ts';
import type { Log } from '../log.ts';
import { kindOf } from '../resources/definitions.ts';
import type { Assessment, Verdict } from './assessment.ts';
import { bootedEntries, bootEntries } from './definitions.ts';

/** What the boot menu is like, published as it was read. */
const menuItem = 'menu';
/** The release that runs: found, and assessed when it is on trial. */
const releaseItem = 'release';
/** Disks may be slow to appear. */
const lookMs = 5000;

/** The boot menu as the specs of its resources. */
export type PublishedMenu = { readonly entries: ReadonlyMap<string, Json>; readonly booted: Json };

export type UpgradesControllerParts = {
  readonly log: Log;
  readonly menu: Latest<PublishedMenu>;
  /** The entry that runs. Undefined on a host that is not ours: nothing is looked for there. */
  readonly find: (() => Promise<Entry>) | undefined;
  /** Begins to assess a release that is on trial. */
  readonly assess: () => Assessment;
  /** Called once, when the release that runs is known to be good. One that was given up never is: the machine is about to reboot. */
  readonly good: () => void;
};

/** Publishes the boot menu, and finds and assesses the release that runs. */
export function upgradesController(parts: UpgradesControllerParts): Controller {
  const { menu, find } = parts;
  const release = new Release(parts);
  return {
    name: 'upgrades',
    // The machine is looked at from time to time: a break that is over by then is none.
    inputs: [{ ...kindOf(machineStatuses), strength: 'weak', items: () => [] }],
    outputs: [bootEntries, bootedEntries].map((definition) => ({
      ...kindOf(definition),
      mode: 'exclusive',
    })),
    concurrency: 2,
    outside: together(
      onEach((signal) => menu.changes(signal), menuItem),
      ...(find === undefined ? [] : [atStart(releaseItem)]),
    ),
    reconcile: async (item, access) => {
      if (item === releaseItem) {
        const status = await access.get({ ...kindOf(machineStatuses), id: 'machine' });
        // It is written by the lifecycle alone.
        return await release.look(status?.spec as MachineStatus | undefined);
      }
      const { entries, booted } = menu.value!;
      await access.replace(kindOf(bootEntries), entries);
      await access.replace(kindOf(bootedEntries), new Map([['booted', booted]]));
      return undefined;
    },
  };
}

class Release {
  readonly #parts: UpgradesControllerParts;
  #booted: Entry | undefined;
  #assessment: Assessment | undefined;
  #reason = '';
  #isDecided = false;

  constructor(parts: UpgradesControllerParts) {
    this.#parts = parts;
  }

  async look(status: MachineStatus | undefined): Promise<Outcome> {
    if (this.#isDecided) return undefined;
    const { log, find, assess, good } = this.#parts;
    try {
      this.#booted ??= await find?.();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#reason) log.info({ code: codeOf(error) }, `boot menu: ${reason}`);
      this.#reason = reason;
      return waitFor(reason, { retryMs: lookMs });
    }
    const verdict = this.#booted?.state === 'trying' ? await this.#assess(assess, status) : 'good';
    if (typeof verdict === 'number')
      return waitFor('the release is on trial: it has to be ready for a minute', { retryMs: verdict });
    this.#isDecided = true;
    if (verdict === 'good') good();
    return undefined;
  }

  async #assess(begin: () => Assessment, status: MachineStatus | undefined): Promise<number | Verdict> {
    const assessment = (this.#assessment ??= begin());
    this.#assessment = undefined; // one that fails begins anew
    const outcome = await assessment.look(status);
    this.#assessment = assessment;
    return outcome;
  }
}
