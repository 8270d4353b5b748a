import type { Architecture, ArchitectureFile, Release } from '@nodecore/schematic/release';
import { type View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';

/** A release whose signature and digests were found right. */
export class LoadedRelease {
  readonly release: Release;
  /** Hex SHA-256 of `release.json`: it has the digests of all files, so it stands for all of them. */
  readonly digest: string;
  readonly #files: ReadonlyMap<string, View>;

  constructor(release: Release, digest: string, files: ReadonlyMap<string, View>) {
    this.release = release;
    this.digest = digest;
    this.#files = files;
  }

  get version(): string {
    return this.release.version;
  }

  get architectures(): readonly Architecture[] {
    return Object.keys(this.release.architectures) as Architecture[];
  }

  /** As `uname -r` says it. */
  kernelVersion(architecture: Architecture): string {
    return this.release.architectures[architecture]?.kernelVersion ?? this.#none(architecture);
  }

  /** A file as it was verified; when it changes later, reads of it fail. */
  file(architecture: Architecture, name: ArchitectureFile): View {
    return this.#files.get(`${architecture}/${name}`) ?? this.#none(architecture);
  }

  #none(architecture: Architecture): never {
    throw new FactoryError('ERR_FACTORY_ASSET', `${this.version} is not for ${architecture}`, {
      nearest: this.architectures,
    });
  }
}
