import type { RegistrySource, StoredManifest } from '@nodecore/oci';
import { architectures } from '@nodecore/schematic/release';
import { kindOf } from '@nodecore/sys';
import type { View } from '@nodecore/view';

import type { Evidence, InstallerEvidence } from '../assets/evidence.ts';
import type { Images } from '../assets/images.ts';
import { type Installer, installerIndex } from '../assets/installer.ts';
import type { Factory, InstallerRepository, Viewer } from '../factory.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';

/** Installers of a version, and what is said of them when that is asked for. */
type Found = {
  readonly index: StoredManifest;
  readonly installers: readonly Installer[];
  readonly evidence: () => Promise<Evidence>;
};

type Pick<T> = (found: Found) => T | undefined | Promise<T | undefined>;

/**
 * The factory as a registry: `metal-installer[-secureboot]/<schematic>`, one tag for each version, as who asks may see it. Nothing is
 * stored, and nothing is made for who is gone.
 */
export function installerRegistry(
  factory: Factory,
  evidence: InstallerEvidence,
  viewer?: Viewer,
  gone?: AbortSignal,
): RegistrySource<View> {
  const { releases, images } = factory;
  const foundAt = async (repository: string, tag: string): Promise<Found | undefined> => {
    const found = await factory.installerOf(repository, viewer);
    const version = tag === 'latest' ? releases.latest : tag;
    if (found === undefined || version === undefined || !releases.versions.includes(version))
      return undefined;
    const { schematic } = found;
    const release = releases.get(version);
    const installers = await installersOf(images, release, found, gone);
    if (installers.length === 0) return undefined;
    const index = installerIndex(installers);
    return {
      index,
      installers,
      evidence: () => evidence.of({ ...found, repository, schematic, release, index, installers }),
    };
  };
  /**
   * From the newest version on; all of them are there at once when they were asked for before. One whose files are damaged says nothing
   * of the others, unless none of them has it.
   *
   * @param picks one after the other, each for all versions: what is cheap before what is not.
   */
  const search = async <T>(repository: string, ...picks: readonly Pick<T>[]): Promise<T | undefined> => {
    const failures: unknown[] = [];
    for (const pick of picks)
      for (const version of releases.versions.toReversed())
        try {
          const found = await foundAt(repository, version).catch(ofAnother);
          const picked = found && (await pick(found));
          if (picked !== undefined) return picked;
        } catch (error) {
          if (kindOf(error) !== 'damaged') throw error;
          failures.push(error);
        }
    if (failures.length > 0) throw failures[0];
    return undefined;
  };
  const manifestOf = (repository: string, digest: string) =>
    search(
      repository,
      (found) => manifestsOf(found).find((one) => one.digest === digest),
      async (found) => (await found.evidence()).manifests.get(digest),
    );
  return {
    tags: async (repository) =>
      (await factory.installerOf(repository, viewer)) === undefined ? undefined : releases.versions,
    manifest: async (repository, reference) =>
      reference.includes(':')
        ? await manifestOf(repository, reference)
        : (await foundAt(repository, reference))?.index,
    blob: async (repository, digest) => {
      const view = await search(
        repository,
        ({ installers }) => first(installers, ({ blobs }) => blobs.get(digest)),
        async (found) => (await found.evidence()).blobs.get(digest),
      );
      return view && { size: view.size, blob: view };
    },
    referrers: async (repository, digest) =>
      await search(repository, async (found) =>
        manifestsOf(found).some((one) => one.digest === digest)
          ? (await found.evidence()).referrers.get(digest)
          : undefined,
      ),
  };
}

function manifestsOf({ index, installers }: Found): readonly StoredManifest[] {
  return [index, ...installers.map(({ manifest }) => manifest)];
}

function first<T, R>(all: readonly T[], pick: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const picked = pick(one);
    if (picked !== undefined) return picked;
  }
  return undefined;
}

/**
 * One for each architecture of the release and the platform, in the order of {@link architectures}. One for which the release can not
 * make what the schematic asks for, as an extension that it has for another alone, is left out.
 *
 * @throws {FactoryError} why there is none, when the release has one of these architectures.
 */
async function installersOf(
  images: Images,
  release: LoadedRelease,
  { schematic, platform, isSecureBoot }: InstallerRepository,
  gone: AbortSignal | undefined,
): Promise<readonly Installer[]> {
  const made: Installer[] = [];
  const refusals: unknown[] = [];
  for (const architecture of architectures.filter((each) => release.architectures.includes(each)))
    if (platform.architectures.includes(architecture))
      try {
        const asset = { kind: 'installer', platform, architecture, isSecureBoot } as const;
        made.push(await images.installer(release, schematic, asset, gone));
      } catch (error) {
        ofAnother(error);
        refusals.push(error);
      }
  if (made.length === 0 && refusals.length > 0) throw refusals[0];
  return made;
}

/** A release that can not make what a schematic asks for has nothing of it, and others may have. */
function ofAnother(error: unknown): undefined {
  const kind = kindOf(error);
  if (kind !== 'invalid' && kind !== 'not-found') throw error;
}
