import type { KeyObject } from 'node:crypto';

import { Serial } from '@nodecore/waiting';

import { loadReleases, type Unread } from './load.ts';
import type { LoadedRelease } from './loaded-release.ts';
import { Releases } from './releases.ts';

export type ReleaseDirectoryOptions = {
  readonly directory: string;
  readonly keys: readonly KeyObject[];
  /** Versions that are offered to nobody. */
  readonly broken?: readonly string[] | undefined;
  /** How often it is read again; 0 for never. */
  readonly refreshMs: number;
  readonly warn: (line: string) => void;
};

/**
 * The releases of a directory, which is read again from time to time: one that came in is loaded while those that are there stay as they
 * are, and whoever reads of them goes on.
 */
export class ReleaseDirectory implements AsyncDisposable {
  readonly releases: Releases;
  readonly #options: ReleaseDirectoryOptions;
  readonly #turns = new Serial();
  #loaded: readonly LoadedRelease[] = [];
  #digests: ReadonlyMap<string, string> = new Map();
  #refused: readonly Unread[] = [];
  #kept: readonly Unread[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(options: ReleaseDirectoryOptions) {
    this.#options = options;
    this.releases = new Releases([], options.broken);
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP` when the directory can't be read. */
  static async open(options: ReleaseDirectoryOptions): Promise<ReleaseDirectory> {
    const found = new ReleaseDirectory(options);
    await found.#read();
    if (options.refreshMs > 0)
      found.#timer = setInterval(() => void found.reload(), options.refreshMs).unref();
    return found;
  }

  /** What is not loaded, and why, one line each: for everybody, so without paths of this machine. */
  get refused(): readonly string[] {
    return this.#refused.map(({ name, reason }) => `not loaded: ${name}: ${reason}`);
  }

  /** The same for whoever runs the factory. */
  get refusedInDetail(): readonly string[] {
    return this.#refused.map(({ name, detail }) => `not loaded: ${name}: ${detail}`);
  }

  /** Hex SHA-256 of a file of a release, by where it lies. */
  readonly digestOf = (path: string): string | undefined => this.#digests.get(path);

  /** Reads the directory again, and tells what is new. What can't be read leaves what was there. Never rejects. */
  async reload(): Promise<void> {
    const { warn } = this.#options;
    await this.#turns.run(async () => {
      if (this.#isClosed) return;
      const before = new Set(this.#lines());
      try {
        await this.#read();
      } catch (error) {
        warn(`releases stay as they were: ${error instanceof Error ? error.message : 'can not be read'}`);
        return;
      }
      for (const line of this.#lines()) if (!before.has(line)) warn(line);
    });
  }

  #lines(): readonly string[] {
    return [
      ...this.#loaded.map(({ version, digest }) => `loaded: ${version}: sha256:${digest}`),
      ...this.refusedInDetail,
      ...this.#kept.map(({ name, detail }) => `stays as it was: ${name}: ${detail}`),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await this.#turns.run(() => {});
  }

  async #read(): Promise<void> {
    const { directory, keys } = this.#options;
    const known = new Map(this.#loaded.map((release) => [release.version, release]));
    const { loaded, refused, kept } = await loadReleases(directory, keys, known);
    this.#loaded = loaded;
    this.#digests = new Map(loaded.flatMap((release) => [...release.digests]));
    this.#refused = refused;
    this.#kept = kept;
    this.releases.replace(loaded);
  }
}
