import { emptyBootRecord, enrollmentFiles, withEntry } from '@nodecore/boot';
import { encodeJsonValue, metaTag } from '@nodecore/meta';

import { UpgradeError } from '../upgrades/errors.ts';
import type { BootPlace } from '../upgrades/firmware-option.ts';
import { grubNames, systemdBootName, ukiName } from '../upgrades/installer-manifest.ts';
import type { PulledInstaller } from '../upgrades/pull-installer.ts';
import { byPercent, type UpgradeEvent } from '../upgrades/upgrade-event.ts';
import { type ReleaseOrder, type ReleaseParts, withRelease } from '../upgrades/with-release.ts';
import type { DiskScene } from './choose-disk.ts';
import { findDisk } from './choose-disk.ts';
import { contentOf, type DiskContent } from './disk-content.ts';
import type { InstallDisks } from './disks.ts';
import { readEnrollment } from './enrollment.ts';
import { InstallError } from './errors.ts';
import { type InstalledLoader, requireRoom } from './layout.ts';
import { writeDisk } from './write-disk.ts';

export type InstallOrder = ReleaseOrder & {
  /** Its device, or a link that names it. */
  readonly disk: string;
  /** Consent to lose all that is on the disk. */
  readonly wipe: boolean;
};

/** What the machine is, and what is done to it. */
export type InstallParts = ReleaseParts & {
  readonly scene: DiskScene;
  readonly disks: InstallDisks;
  /** Whether a BIOS has started the machine, and will start the disk. */
  readonly isBios: boolean;
  /** Has the firmware start the disk. @returns what it refuses. */
  readonly tellFirmware: (place: BootPlace) => Promise<string | undefined>;
  /** What the boot medium has for META. */
  readonly embeddedMeta: () => Promise<ReadonlyMap<number, Uint8Array>>;
};

/**
 * Makes a disk the system disk, with a release on it. Who made the release, and that it is what they made, is proven before a byte is
 * written; so is that the disk is empty, unless its content may go.
 *
 * @throws {InstallError}, {UpgradeError} and nothing was written; {BlockError} when the disk fails: the next attempt begins anew.
 */
export async function install(
  parts: InstallParts,
  order: InstallOrder,
  tell: (event: UpgradeEvent) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { scene, disks, isBios } = parts;
  requireFields(order);
  const disk = findDisk(order.disk, scene);
  requireConsent(disk.devPath, await contentOf(disk, disks), order);
  const needed = {
    tell,
    files: [ukiName, ...(isBios ? Object.values(grubNames) : [systemdBootName])],
    optional: isBios ? [] : Object.values(enrollmentFiles),
    ...(signal && { signal }),
  };
  await withRelease(parts, order, needed, async ({ manifest, files, sha256 }) => {
    const { version, imageVersion, arch } = manifest;
    if (arch !== parts.architecture)
      throw new UpgradeError(
        'ERR_UPGRADE_VERSION',
        `${version} is for ${arch}, and this machine is ${parts.architecture}`,
      );
    const uki = files.get(ukiName)!;
    const loader = isBios ? await readGrub(files) : await readSystemdBoot(parts, { manifest, files });
    tell({ phase: 'space', message: `looks for room on ${disk.devPath}`, version });
    requireRoom(disk, uki);
    const on = `${version} on ${disk.devPath}`;
    if (order.dryRun) {
      tell({ phase: 'switch', message: `would install ${on}`, version });
      return;
    }
    // Minutes have gone by: somebody may have put data on it.
    const found = await contentOf(disk, disks);
    requireConsent(disk.devPath, found, order);
    const totalBytes = uki.size + (files.get(systemdBootName)?.size ?? 0);
    const entry = `nodeos-${imageVersion}-1.efi`;
    const record = withEntry(emptyBootRecord, { imageVersion, sequence: 1, sha256, sizeBytes: uki.size });
    const progress = byPercent((doneBytes) =>
      tell({
        phase: 'write',
        message: `writes ${on}`,
        doneBytes: Math.min(doneBytes, totalBytes),
        totalBytes,
        version,
      }),
    );
    const partition = await writeDisk(disk, found, {
      disks,
      files: { imageVersion, uki, architecture: arch, loader },
      meta: new Map([...(await parts.embeddedMeta()), [metaTag.bootRecord, encodeJsonValue(record)]]),
      signal,
      progress: (doneBytes) => progress(doneBytes, totalBytes),
      step: (step) => {
        if (step === 'wipe') tell({ phase: 'write', message: `wipes ${disk.devPath}`, version });
        if (step === 'prove')
          tell({ phase: 'prove', message: 'reads back what was written', entry, version });
      },
    });
    const refused = await parts.tellFirmware({ partition, sectorSize: disk.sectorSize });
    const but = refused === undefined ? '' : `; ${refused}`;
    tell({ phase: 'switch', message: `${on} is installed: the next boot starts it${but}`, entry, version });
  });
}

async function readSystemdBoot(
  { secureBoot, proveByFirmware }: Pick<InstallParts, 'secureBoot' | 'proveByFirmware'>,
  { manifest, files }: Pick<PulledInstaller, 'manifest' | 'files'>,
): Promise<InstalledLoader> {
  const [uki, program] = [files.get(ukiName)!, files.get(systemdBootName)!];
  if (secureBoot) for (const image of [uki, program]) await proveByFirmware(image);
  const enrollment = await readEnrollment({ manifest, files }, [uki, program]);
  return { kind: 'systemd-boot', program, secureBoot: enrollment };
}

async function readGrub(files: PulledInstaller['files']): Promise<InstalledLoader> {
  const [core, boot] = await Promise.all(
    [grubNames.core, grubNames.boot].map((name) => files.get(name)!.bytes()),
  );
  return { kind: 'grub', programs: { core: core!, boot: boot! } };
}

function requireFields({ image, disk }: InstallOrder): void {
  if (image === '') throw new InstallError('ERR_INSTALL_REQUEST', 'the image of the installer is empty');
  if (disk === '') throw new InstallError('ERR_INSTALL_REQUEST', 'the disk is empty');
}

function requireConsent(devPath: string, content: DiskContent, { wipe }: InstallOrder): void {
  if (content.kind !== 'occupied' || wipe) return;
  throw new InstallError(
    'ERR_INSTALL_NOT_EMPTY',
    `${devPath} is not empty, and nobody has consented to lose what is on it: ${content.reasons.join('; ')}`,
  );
}
