import {
  type BootPartition,
  compareEntries,
  compareImageVersions,
  type Entry,
  type EntryName,
  nextSequence,
  type RecordedEntry,
  withEntry,
  withoutGone,
} from '@nodecore/boot';
import { imageVersionOf } from '@nodecore/schematic/release';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import { readBootRecord, writeBootRecord } from './boot-record.ts';
import { UpgradeError } from './errors.ts';
import type { InstallerManifest } from './installer-manifest.ts';
import type { UpgradeEvent } from './upgrade-event.ts';
import { type ReleaseOrder, type ReleaseParts, withRelease } from './with-release.ts';

/** `force` also takes one whose minimum version is above the running one. */
export type UpgradeOrder = ReleaseOrder;

/** What the node is, and what is done to it. */
export type UpgradeParts = ReleaseParts & {
  readonly log: Log;
  readonly meta: Meta;
  readonly partition: Pick<BootPartition, 'entries' | 'write'>;
  /** Has the boot loader start the first of its menu, whatever was chosen before. @throws {UpgradeError} `ERR_UPGRADE_FIRMWARE` */
  readonly takeBackChoices: () => Promise<void>;
  /** Has the firmware start the boot partition, where it lost its option. @returns what it refuses. */
  readonly tellFirmware: () => Promise<string | undefined>;
  /** As in file names. */
  readonly imageVersion: string;
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
  const { partition, meta, log } = parts;
  await withRelease(parts, order, { tell, ...(signal && { signal }) }, async ({ manifest, uki, sha256 }) => {
    const { version, imageVersion } = manifest;
    requireFitting(parts, order, manifest);
    if (parts.secureBoot) await parts.proveByFirmware(uki);
    const entries = await partition.entries();
    const sequence = nextSequence(readBootRecord(meta, log), entries);
    if (order.dryRun) {
      requireFirst({ imageVersion, sequence, tries: { left: 1, done: 0 } }, entries);
      tell({ phase: 'switch', message: `would write ${version} as installation ${sequence}`, version });
      return;
    }
    await parts.takeBackChoices(); // when the firmware refuses, nothing is written: it would start at some later boot
    tell({ phase: 'write', message: `writes ${version}`, totalBytes: uki.size, version });
    const { name } = await partition.write({ imageVersion, sequence, uki, sha256 }, signal);
    tell({ phase: 'prove', message: 'what was written was read back', entry: name, version });
    const buts = [
      await recordRefused(parts, { imageVersion, sequence, sha256, sizeBytes: uki.size }),
      await parts.tellFirmware(),
    ];
    const but = buts.map((refused) => (refused === undefined ? '' : `; ${refused}`)).join('');
    tell({ phase: 'switch', message: `${version} is tried at the next boot${but}`, entry: name, version });
  });
}

/** The name of the file alone decides what boots, and it has it: without the record only its reasons are lost. @returns that they are. */
async function recordRefused(
  { partition, meta, log }: UpgradeParts,
  entry: RecordedEntry,
): Promise<string | undefined> {
  try {
    const record = withoutGone(readBootRecord(meta, log), await partition.entries());
    await writeBootRecord(meta, withEntry(record, entry));
    return undefined;
  } catch (error) {
    log.warn({ code: codeOf(error), err: error }, 'META does not take the boot record');
    return `META does not take its record (${codeOf(error) ?? 'internal error'}): why it is left, should it be, is not kept`;
  }
}

/** As the write itself does. */
function requireFirst(entry: EntryName, entries: readonly Entry[]): void {
  const first = entries.find((other) => other.state !== 'bad' && compareEntries(other, entry) < 0);
  if (first !== undefined)
    throw new UpgradeError('ERR_UPGRADE_VERSION', `the boot menu would go on starting ${first.name}`);
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
  if (!force && compareImageVersions(imageVersion, imageVersionOf(minimumVersion)) < 0)
    throw new UpgradeError(
      'ERR_UPGRADE_VERSION',
      `${version} can be reached from ${minimumVersion} on, and v${imageVersion.replace('~', '-')} runs`,
    );
}
