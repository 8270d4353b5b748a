import { extensionFile } from '@nodecore/schematic/release';

import type { LoadedRelease } from '../releases/loaded-release.ts';

/** An extension as clients that choose some want to know it. */
export type OfficialExtension = {
  readonly name: string;
  readonly ref: string;
  /** Of its squashfs. */
  readonly digest: string;
  readonly author: string;
  readonly description: string;
};

/** All that images of the release may have, by name; one that several architectures have is there once. */
export function officialExtensions(release: LoadedRelease): readonly OfficialExtension[] {
  const found = new Map<string, OfficialExtension>();
  for (const architecture of release.architectures)
    for (const [name, { version, author, description }] of Object.entries(release.extensions(architecture))) {
      const sha256 = release.release.files[`${architecture}/${extensionFile(name)}`]?.sha256 ?? '';
      const extension = { name, ref: `${name}:${version}`, digest: `sha256:${sha256}`, author, description };
      if (!found.has(name)) found.set(name, extension);
    }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
