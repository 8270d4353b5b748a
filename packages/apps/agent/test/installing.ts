import { join } from 'node:path';

import type { Disk } from '@nodecore/block';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type InstallDisks, machineDisks } from '../src/installs/disks.ts';
import { install, type InstallOrder, type InstallParts } from '../src/installs/install.ts';
import type { UpgradeEvent } from '../src/upgrades/upgrade-event.ts';
import { installerKey, serveInstaller } from './installer-registry.ts';
import { disk, inventory } from './inventory.ts';

/** Thrown where the power is cut. */
export class PowerCut extends Error {}

/**
 * The disks of the machine, cut off before the step of this number: what a program does before it was done and nothing after.
 *
 * @returns how many steps there were.
 */
export function cutBefore(at: number): {
  readonly disks: InstallDisks;
  readonly steps: () => readonly string[];
} {
  const steps: string[] = [];
  const changes: ReadonlySet<string> = new Set([
    'wipe',
    'createTable',
    'add',
    'remove',
    'write',
    'writeBootCode',
    'finish',
  ]);
  const disks = Object.fromEntries(
    Object.entries(machineDisks).map(([name, work]) => [
      name,
      async (...words: readonly unknown[]) => {
        if (changes.has(name)) {
          if (steps.length >= at) throw new PowerCut(`before ${name}`);
          steps.push(name);
        }
        return await (work as (...words: readonly unknown[]) => Promise<unknown>)(...words);
      },
    ]),
  ) as unknown as InstallDisks;
  return { disks, steps: () => steps };
}

export type InstallingOptions = Parameters<typeof serveInstaller>[1] & {
  /** What is known of the disk, besides its path. */
  readonly facts: Partial<Disk> & { readonly devPath: string };
};

/** A machine with one disk and a registry that has a release. */
export async function installing(t: ExecutionContext, { facts, ...installer }: InstallingOptions) {
  const directory = await temporaryDirectory(t);
  const key = installerKey();
  const { reference, uki } = await serveInstaller(t, { key, ...installer });
  const events: UpgradeEvent[] = [];
  const run = (
    order: Partial<InstallOrder> = {},
    around: Partial<InstallParts> = {},
    signal?: AbortSignal,
  ): Promise<void> =>
    install(
      {
        scene: { inventory: inventory([disk('target', facts)], []), bootedFrom: undefined },
        disks: machineDisks,
        isBios: false,
        architecture: 'amd64',
        keys: [key.pem],
        secureBoot: false,
        proveByFirmware: async () => {},
        tellFirmware: async () => undefined,
        embeddedMeta: async () => new Map(),
        directory: join(directory, 'pulled'),
        ...around,
      },
      {
        image: reference,
        expectedDigest: '',
        disk: facts.devPath,
        wipe: false,
        dryRun: false,
        force: false,
        ...order,
      },
      (event) => void events.push(event),
      signal,
    );
  return { directory, reference, uki, run, events };
}
