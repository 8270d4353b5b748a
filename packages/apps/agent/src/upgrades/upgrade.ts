import { mkdir, rm } from 'node:fs/promises';

import { compareEntries, compareVersions, formatEntryName, imageVersionOf } from '@nodecore/boot';
import type { View } from '@nodecore/view';

import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import { readBootRecord, writeBootRecord } from './boot-record.ts';
import { entryId, type EntryStore, removableEntries, stateOf, type StoredEntry } from './entries.ts';
import { UpgradeError } from './errors.ts';
import type { InstallerManifest } from './installer-manifest.ts';
import { type PulledInstaller, pullInstaller, type PullOptions } from './pull-installer.ts';

/** How many times a new release may be started before the former one is again. */
const tries = 3;

export type UpgradeOrder = {
  readonly image: string;
  /** `''`: whatever the reference means now. */
  readonly expectedDigest: string;
  readonly dryRun: boolean;
  /** Take an unsigned image where Secure Boot is off, and one whose minimum version is above the running one. */
  readonly force: boolean;
};

/** How far an upgrade is. */
export type UpgradeEvent = {
  readonly phase: 'pull' | 'verify' | 'space' | 'write' | 'prove' | 'switch';
  readonly message: string;
  readonly doneBytes?: number;
  readonly totalBytes?: number;
  readonly entry?: string;
  readonly version?: string;
};

/** What the node is, and what is done to it. */
export type UpgradeParts = {
  readonly log: Log;
  readonly meta: Meta;
  readonly store: EntryStore;
  readonly booted: StoredEntry;
  /** As in file names. */
  readonly imageVersion: string;
  /** `amd64` */
  readonly architecture: string;
  readonly keys: readonly string[];
  /** Whether the firmware starts only what it has a signature for. */
  readonly secureBoot: boolean;
  /** @throws when the firmware would not start the image. */
  readonly proveByFirmware: (uki: View) => Promise<void>;
  /** For what is pulled; emptied before and removed behind. */
  readonly directory: string;
  readonly now: () => Date;
  readonly pull?: (options: PullOptions) => Promise<PulledInstaller>;
};

/**
 * Writes another release beside the one that runs; the next boot tries it. Everything is proven before a byte is written, and the
 * entry that runs and the newest good one stay.
 */
export async function upgrade(
  parts: UpgradeParts,
  order: UpgradeOrder,
  tell: (event: UpgradeEvent) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { store, directory, pull = pullInstaller } = parts;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    tell({ phase: 'pull', message: `pulls ${order.image}` });
    const { manifest, uki } = await pull({
      image: order.image,
      expectedDigest: order.expectedDigest,
      architecture: parts.architecture,
      keys: parts.keys,
      unsigned: order.force && !parts.secureBoot,
      directory,
      ...(signal && { signal }),
      progress: byPercent((doneBytes, totalBytes) =>
        tell({ phase: 'pull', message: 'pulls the boot image', doneBytes, totalBytes }),
      ),
    });
    const { version } = manifest;
    tell({ phase: 'verify', message: `verifies ${version}`, version });
    requireFitting(parts, order, manifest);
    if (parts.secureBoot) await parts.proveByFirmware(uki);
    const entries = await store.list();
    const entry = await nextEntry(parts, manifest, entries);
    const file = formatEntryName(entry);
    tell({ phase: 'space', message: 'looks for room in the boot partition', version });
    await makeRoom(parts, uki.size, { entries, dryRun: order.dryRun });
    if (order.dryRun) {
      tell({ phase: 'switch', message: `would write ${file}`, entry: file, version });
      return;
    }
    tell({ phase: 'write', message: `writes ${file}`, totalBytes: uki.size, entry: file, version });
    const { sha256, size } = manifest.files.get('nodeos.uki.efi')!;
    await store.add(entry, uki, {
      sha256,
      ...(signal && { signal }),
      written: () => tell({ phase: 'prove', message: 'reads it back', entry: file, version }),
    });
    // The name of the file alone decides what boots: a record that is not written any more costs its reasons only.
    const record = readBootRecord(parts.meta, parts.log);
    const { schematic } = manifest;
    const written = { version, schematic, sha256, size, written: parts.now().toISOString() };
    await writeBootRecord(parts.meta, {
      installs: entry.sequence,
      entries: { ...record.entries, [entryId(entry)]: written },
    });
    tell({ phase: 'switch', message: `${version} is tried at the next boot`, entry: file, version });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Passes on what is a percent or more. */
function byPercent(tell: (doneBytes: number, totalBytes: number) => void): PullOptions['progress'] {
  let told = -1;
  return (doneBytes, totalBytes) => {
    const percent = totalBytes === 0 ? 100 : Math.floor((doneBytes * 100) / totalBytes);
    if (percent === told) return;
    told = percent;
    tell(doneBytes, totalBytes);
  };
}

function requireFitting(
  { imageVersion, architecture }: UpgradeParts,
  { force }: UpgradeOrder,
  { version, arch, minimumVersion }: InstallerManifest,
): void {
  if (arch !== architecture)
    throw new UpgradeError(
      'ERR_UPGRADE_VERSION',
      `${version} is for ${arch}, and this node is ${architecture}`,
    );
  if (!force && compareVersions(imageVersion, imageVersionOf(minimumVersion)) < 0)
    throw new UpgradeError(
      'ERR_UPGRADE_VERSION',
      `${version} can be reached from ${minimumVersion} on, and v${imageVersion.replace('~', '-')} runs`,
    );
}

/** @throws {UpgradeError} when the menu would not begin with the new entry: the node would "succeed" and never run it. */
async function nextEntry(
  { meta, log }: UpgradeParts,
  { imageVersion, version }: InstallerManifest,
  entries: readonly StoredEntry[],
) {
  const { installs } = readBootRecord(meta, log);
  const highest = Math.max(installs, ...entries.map(({ name }) => name.sequence));
  const entry = { imageVersion, sequence: highest + 1, tries: { left: tries, done: 0 } };
  const first = entries.find(({ name }) => stateOf(name) !== 'bad' && compareEntries(name, entry) < 0);
  if (first !== undefined)
    throw new UpgradeError(
      'ERR_UPGRADE_VERSION',
      `${version} is lower than ${first.file}, which the boot loader would go on starting`,
    );
  return entry;
}

/** @throws {UpgradeError} saying how much is missing, with nothing removed. */
async function makeRoom(
  { store, booted, log }: UpgradeParts,
  neededBytes: number,
  { entries, dryRun }: { readonly entries: readonly StoredEntry[]; readonly dryRun: boolean },
): Promise<void> {
  const removable = removableEntries(entries, booted);
  let free = await store.freeBytes();
  const possible = free + removable.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (possible < neededBytes)
    throw new UpgradeError(
      'ERR_UPGRADE_SPACE',
      `the boot partition lacks ${Math.ceil((neededBytes - possible) / 2 ** 20)} MiB for an image of ${Math.ceil(neededBytes / 2 ** 20)} MiB`,
    );
  for (const { file, sizeBytes } of removable) {
    if (free >= neededBytes || dryRun) return;
    log.info({ file }, 'an entry of the boot menu goes, to make room');
    await store.remove(file);
    free += sizeBytes;
  }
}
