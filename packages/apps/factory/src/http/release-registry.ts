import { digestOf, type RegistrySource } from '@nodecore/oci';
import { View } from '@nodecore/view';

import { type ReleaseImage, releaseImage } from '../mirror/release-image.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Releases } from '../releases/releases.ts';

/** The one repository with what images are made of here. */
const repositoryName = 'os/release';

/** The releases of a factory as a registry, one tag for each version, for mirrors: what was signed, byte for byte. */
export function releaseRegistry(releases: Releases): RegistrySource<View> {
  const all = releases.versions.map((version) => {
    const release = releases.get(version);
    return { version, release, image: releaseImage(release.signed) };
  });
  return {
    tags: async (repository) => (repository === repositoryName ? releases.versions : undefined),
    manifest: async (repository, reference): Promise<ReleaseImage | undefined> => {
      if (repository !== repositoryName) return undefined;
      return all.find(({ version, image }) => [version, image.digest].includes(reference))?.image;
    },
    blob: async (repository, digest) => {
      if (repository !== repositoryName) return undefined;
      const blob = all.map(({ release }) => blobOf(release, digest)).find((view) => view !== undefined);
      return blob && { size: blob.size, blob };
    },
  };
}

function blobOf({ signed, files }: LoadedRelease, digest: string): View | undefined {
  for (const bytes of [signed.bytes, signed.signature]) if (digestOf(bytes) === digest) return View.of(bytes);
  const found = Object.entries(signed.release.files).find(([, { sha256 }]) => `sha256:${sha256}` === digest);
  return found && files.get(found[0]);
}
