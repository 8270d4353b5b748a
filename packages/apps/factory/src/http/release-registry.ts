import { digestOf, type RegistrySource } from '@nodecore/oci';
import { View } from '@nodecore/view';

import { type ReleaseImage, releaseImage } from '../mirror/release-image.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Releases } from '../releases/releases.ts';

/** The one repository with what images are made of here. */
const repositoryName = 'os/release';

/** The releases of a factory as a registry, one tag for each version, for mirrors: what was signed, byte for byte. */
export function releaseRegistry(releases: Releases): RegistrySource<View> {
  const images = new WeakMap<LoadedRelease, ReleaseImage>();
  const imageOf = (release: LoadedRelease): ReleaseImage => {
    const image = images.get(release) ?? releaseImage(release.signed);
    images.set(release, image);
    return image;
  };
  const all = (): readonly LoadedRelease[] => releases.versions.map((version) => releases.get(version));
  return {
    tags: async (repository) => (repository === repositoryName ? releases.versions : undefined),
    manifest: async (repository, reference): Promise<ReleaseImage | undefined> => {
      if (repository !== repositoryName) return undefined;
      const found = all().find((release) => [release.version, imageOf(release).digest].includes(reference));
      return found && imageOf(found);
    },
    blob: async (repository, digest) => {
      if (repository !== repositoryName) return undefined;
      const blob = all()
        .map((release) => blobOf(release, digest))
        .find((view) => view !== undefined);
      return blob && { size: blob.size, blob };
    },
  };
}

function blobOf({ signed, files }: LoadedRelease, digest: string): View | undefined {
  for (const bytes of [signed.bytes, signed.signature]) if (digestOf(bytes) === digest) return View.of(bytes);
  const found = Object.entries(signed.release.files).find(([, { sha256 }]) => `sha256:${sha256}` === digest);
  return found && files.get(found[0]);
}
