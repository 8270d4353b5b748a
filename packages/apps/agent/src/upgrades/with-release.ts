import { mkdir, rm } from 'node:fs/promises';

import type { View } from '@nodecore/view';

import { type PulledInstaller, pullInstaller, type PullOptions } from './pull-installer.ts';
import { byPercent, type UpgradeEvent } from './upgrade-event.ts';

/** Which release somebody wants, and how far they trust it. */
export type ReleaseOrder = {
  readonly image: string;
  /** `''`: whatever the reference means now. */
  readonly expectedDigest: string;
  readonly dryRun: boolean;
  /** Take an unsigned image where Secure Boot is off. */
  readonly force: boolean;
};

/** What the machine is, and where a release comes to. */
export type ReleaseParts = {
  /** `amd64` */
  readonly architecture: string;
  readonly keys: readonly string[];
  /** Whether the firmware starts only what it has a signature for. */
  readonly secureBoot: boolean;
  /** @throws when the firmware would not start the image. */
  readonly proveByFirmware: (image: View) => Promise<void>;
  /** For what is pulled; emptied before and removed behind. */
  readonly directory: string;
  readonly pull?: (options: PullOptions) => Promise<PulledInstaller>;
};

/**
 * Does some work with a release whose maker and bytes are proven. Its files are gone behind the work.
 *
 * @throws {OciError}, {UpgradeError} as {@link pullInstaller} does.
 */
export async function withRelease(
  { architecture, keys, secureBoot, directory, pull = pullInstaller }: ReleaseParts,
  { image, expectedDigest, force }: ReleaseOrder,
  {
    tell,
    ...options
  }: Pick<PullOptions, 'files' | 'optional' | 'signal'> & { readonly tell: (event: UpgradeEvent) => void },
  work: (release: PulledInstaller) => Promise<void>,
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    tell({ phase: 'pull', message: `pulls ${image}` });
    const release = await pull({
      image,
      expectedDigest,
      architecture,
      keys,
      unsigned: force && !secureBoot,
      directory,
      ...options,
      progress: byPercent((doneBytes, totalBytes) =>
        tell({ phase: 'pull', message: 'pulls the boot image', doneBytes, totalBytes }),
      ),
    });
    const { version } = release.manifest;
    tell({ phase: 'verify', message: `verifies ${version}`, version });
    await work(release);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
