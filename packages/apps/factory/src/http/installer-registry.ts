import type { RegistrySource } from '@nodecore/oci';
import type { View } from '@nodecore/view';

import type { Installer } from '../assets/installer.ts';
import type { Factory, Viewer } from '../factory.ts';

/** The factory as a registry: `metal-installer[-secureboot]/<schematic>`, one tag for each version, as who asks may see it. Nothing is stored. */
export function installerRegistry(factory: Factory, viewer?: Viewer): RegistrySource<View> {
  const { releases, images } = factory;
  const installerAt = async (repository: string, tag: string): Promise<Installer | undefined> => {
    const found = await factory.installerOf(repository, viewer);
    const version = tag === 'latest' ? releases.latest : tag;
    if (found === undefined || version === undefined || !releases.versions.includes(version))
      return undefined;
    return await images.installer(releases.get(version), found.schematic, found.asset);
  };
  /** From the newest version on; all of them are there at once when they were asked for before. */
  const search = async <T>(
    repository: string,
    pick: (installer: Installer) => T | undefined,
  ): Promise<T | undefined> => {
    for (const version of releases.versions.toReversed()) {
      const installer = await installerAt(repository, version);
      const found = installer && pick(installer);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    tags: async (repository) =>
      (await factory.installerOf(repository, viewer)) === undefined ? undefined : releases.versions,
    manifest: async (repository, reference) =>
      reference.includes(':')
        ? await search(repository, ({ index, manifest }) =>
            [index, manifest].find(({ digest }) => digest === reference),
          )
        : (await installerAt(repository, reference))?.index,
    blob: async (repository, digest) => {
      const view = await search(repository, ({ blobs }) => blobs.get(digest));
      return view && { size: view.size, blob: view };
    },
  };
}
