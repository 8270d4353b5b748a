import { print, printFound, readFormat, registryCredentials, type Terminal, UsageError } from '@nodecore/cli';
import { formatReference, parseReference, RegistryClient } from '@nodecore/clusters/image-cache';
import { compareVersions, isVersion, parseVersion } from '@nodecore/schematic/release';
import { releaseVersion } from '@nodecore/sys/pure';

import { bundledImages } from './bundled-images.ts';

export type OsImagesFlags = {
  readonly registry: string;
  readonly overlays: boolean;
  readonly extensions: boolean;
  readonly insecure?: true;
  readonly output: string;
};

/** The first whose images are called so. */
const oldest = 'v1.11.0-alpha.0';
/** From here on images are written as data, and there is no program that installs. */
const withoutInstaller = 'v1.14.0-alpha.0';

/** The images that a release is made of, without those that have to be looked up. @throws {UsageError} */
export function osImages(version: string, registry: string): readonly string[] {
  checkVersion(version);
  const programs = ['installer-base', 'imager', 'node', 'osctl-all', 'overlays', 'extensions'];
  const names = compareVersions(version, withoutInstaller) < 0 ? ['installer', ...programs] : programs;
  return names.map((name) => `${registry}/${name}:${version}`);
}

/** Prints them with the extensions and overlays of the release, a line each: what `image cache-create --images -` reads. */
export async function listOsImages(
  version: string,
  flags: OsImagesFlags,
  { signal, out, env }: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const images = [...osImages(version, flags.registry)];
  const wanted = (['overlays', 'extensions'] as const).filter((name) => flags[name]);
  const found = new Set<string>();
  const credentialsOf = await registryCredentials(env);
  for (const name of wanted) {
    const reference = parseReference(`${flags.registry}/${name}:${version}`);
    const credentials = credentialsOf(reference.registry);
    const client = new RegistryClient(reference.registry, {
      plain: flags.insecure === true,
      ...(credentials && { credentials }),
    });
    for (const each of await bundledImages(client, reference, signal)) found.add(formatReference(each));
  }
  images.push(...[...found].toSorted());
  if (format.kind === 'table') await print(out, images.map((image) => `${image}\n`).join(''));
  else
    await printFound(
      { out },
      format,
      images.map((image) => ({ image })),
      { single: false, text: () => '' },
    );
}

function checkVersion(version: string): void {
  if (!version.startsWith('v')) throw new UsageError(`invalid tag "${version}": must have "v" prefix`);
  if (!isVersion(version)) throw new UsageError(`invalid tag "${version}": no version as v1.14.0`);
  const { major, minor } = parseVersion(releaseVersion);
  const after = `v${major}.${minor + 1}.0-alpha.0`;
  if (compareVersions(version, oldest) < 0 || compareVersions(version, after) >= 0)
    throw new UsageError(`this osctl knows the images of releases from ${oldest} to before ${after}`);
}
