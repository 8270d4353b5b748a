import { compareVersions, isVersion, parseVersion } from '@nodecore/schematic/release';

import { FactoryError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import type { LoadedRelease } from './loaded-release.ts';

/** Others are builds that nobody is meant to choose. */
const preRelease = /^(?:alpha|beta|rc)\.\d+$/;

/** The releases that a factory has, by version. */
export class Releases {
  #all: ReadonlyMap<string, LoadedRelease> = new Map();
  readonly #broken: ReadonlySet<string>;

  /** @param broken versions that are offered to nobody; who asks for their images gets them, for nodes that run them. */
  constructor(loaded: readonly LoadedRelease[], broken: readonly string[] = []) {
    this.#broken = new Set(broken);
    this.replace(loaded);
  }

  /** From now on these are all there are. */
  replace(loaded: readonly LoadedRelease[]): void {
    this.#all = new Map(
      loaded
        .toSorted((a, b) => compareVersions(a.version, b.version))
        .map((release) => [release.version, release]),
    );
  }

  /** From the oldest to the newest. */
  get versions(): readonly string[] {
    return [...this.#all.keys()];
  }

  /** The versions that are offered: none that is broken, and pre-releases (`alpha.N`, `beta.N`, `rc.N`) only of the newest minor. */
  get offered(): readonly string[] {
    return this.offeredWithBroken.filter((version) => !this.#broken.has(version));
  }

  /** Those that are broken, too. */
  get offeredWithBroken(): readonly string[] {
    const newest = this.versions.at(-1);
    if (newest === undefined) return [];
    const { major, minor } = parseVersion(newest);
    return this.versions.filter((version) => {
      const parsed = parseVersion(version);
      if (parsed.pre.length === 0) return true;
      return parsed.major === major && parsed.minor === minor && preRelease.test(parsed.pre.join('.'));
    });
  }

  /** The newest version that is no pre-release, and not broken. */
  get latest(): string | undefined {
    return this.versions.findLast(
      (version) => parseVersion(version).pre.length === 0 && !this.#broken.has(version),
    );
  }

  /** @throws {FactoryError} with `ERR_FACTORY_VERSION` for what is no version, `ERR_FACTORY_VERSION_UNKNOWN` for one that isn't there. */
  get(version: string): LoadedRelease {
    const found = this.#all.get(version);
    if (found !== undefined) return found;
    const near = { nearest: nearest(version, this.versions) };
    if (!isVersion(version)) throw new FactoryError('ERR_FACTORY_VERSION', 'not a version as v1.14.0', near);
    throw new FactoryError('ERR_FACTORY_VERSION_UNKNOWN', `no release ${version}`, near);
  }
}
