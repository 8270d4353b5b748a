import type { RegistrySource } from '@nodecore/oci';
import { kindOf } from '@nodecore/sys';
import type { View } from '@nodecore/view';

import type { Evidence, InstallerEvidence } from '../assets/evidence.ts';
import type { Installer } from '../assets/installer.ts';
import type { Factory, Viewer } from '../factory.ts';

/** An installer, and what is said of it when that is asked for. */
type Found = { readonly installer: Installer; readonly evidence: () => Promise<Evidence> };

/** The factory as a registry: `metal-installer[-secureboot]/<schematic>`, one tag for each version, as who asks may see it. Nothing is stored. */
export function installerRegistry(
  factory: Factory,
  evidence: InstallerEvidence,
  viewer?: Viewer,
): RegistrySource<View> {
  const { releases, images } = factory;
  const foundAt = async (repository: string, tag: string): Promise<Found | undefined> => {
    const found = await factory.installerOf(repository, viewer);
    const version = tag === 'latest' ? releases.latest : tag;
    if (found === undefined || version === undefined || !releases.versions.includes(version))
      return undefined;
    const { schematic, asset } = found;
    const release = releases.get(version);
    const installer = await images.installer(release, schematic, asset);
    const { architecture } = asset;
    return {
      installer,
      evidence: () => evidence.of({ repository, schematic, release, architecture, asset, installer }),
    };
  };
  /** From the newest version on; all of them are there at once when they were asked for before. */
  const search = async <T>(
    repository: string,
    pick: (found: Found) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> => {
    for (const version of releases.versions.toReversed()) {
      const found = await foundAt(repository, version).catch(ofAnother);
      const picked = found && (await pick(found));
      if (picked !== undefined) return picked;
    }
    return undefined;
  };
  const manifestOf = async (repository: string, digest: string) =>
    (await search(repository, ({ installer: { index, manifest } }) =>
      [index, manifest].find((one) => one.digest === digest),
    )) ?? (await search(repository, async (found) => (await found.evidence()).manifests.get(digest)));
  return {
    tags: async (repository) =>
      (await factory.installerOf(repository, viewer)) === undefined ? undefined : releases.versions,
    manifest: async (repository, reference) =>
      reference.includes(':')
        ? await manifestOf(repository, reference)
        : (await foundAt(repository, reference))?.installer.index,
    blob: async (repository, digest) => {
      const view =
        (await search(repository, ({ installer }) => installer.blobs.get(digest))) ??
        (await search(repository, async (found) => (await found.evidence()).blobs.get(digest)));
      return view && { size: view.size, blob: view };
    },
    referrers: async (repository, digest) =>
      await search(repository, async ({ installer: { index, manifest }, evidence: said }) =>
        index.digest === digest || manifest.digest === digest
          ? (await said()).referrers.get(digest)
          : undefined,
      ),
  };
}

/** A release that can not make what a schematic asks for has nothing of it, and others may have. */
function ofAnother(error: unknown): undefined {
  const kind = kindOf(error);
  if (kind !== 'invalid' && kind !== 'not-found') throw error;
}
