import { type Clock, systemClock } from '@nodecore/waiting';

import { fellBack } from '../outcome.ts';
import type { Target } from '../nodes/target.ts';
import { bootedEntry } from './boot-facts.ts';
import { pauseMs } from './wait-for-boot.ts';

/** A node that is ready says within moments what it was started from. */
const mostLooks = 30;

/** What a node was to start. */
export type WantedEntry = {
  /** The name of its file. */
  readonly entry: string;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, 'sleep'>;
};

/**
 * Resolves when a node that is back runs the installation that it was to start. It may be what it was: the release did not come up, and
 * the boot loader went back by itself. Two installations of one version are two: they may have other extensions.
 *
 * @throws {OutcomeError} when another one runs, or the node does not say which.
 */
export async function requireEntry(
  target: Target,
  { entry, version, signal, clock = systemClock }: WantedEntry,
): Promise<void> {
  for (let looks = 1; looks <= mostLooks; looks += 1) {
    const booted = await bootedEntry(target, { signal });
    if (booted !== undefined) {
      if (installationOf(booted.entry) === installationOf(entry)) return;
      const runs =
        booted.version === version ? `another installation of it, ${booted.entry},` : booted.version;
      throw fellBack(
        target.name,
        `${version} did not come up, and ${runs} runs: osctl get bootentries says why`,
      );
    }
    await clock.sleep(pauseMs, signal);
  }
  throw fellBack(target.name, `it does not say whether ${version} runs: osctl get bootedentry`);
}

/** The name of an entry without the starts that are counted in it: `nodeos-1.14.1-2+2-1.efi` is `nodeos-1.14.1-2`. */
function installationOf(name: string): string {
  return name.toLowerCase().replace(/(?:\+\d+(?:-\d+)?)?\.efi$/u, '');
}
