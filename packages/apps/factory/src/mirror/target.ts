import type { ReleaseFile } from '@nodecore/schematic/release';

import type { SignedRelease } from './signed-release.ts';

/** What is copied: a release that is proven, and its files, which are not until they were read to their ends. */
export type Incoming = {
  readonly signed: SignedRelease;
  /** The bytes of a file from a place on. */
  readonly read: (path: string, file: ReleaseFile, start: number) => AsyncIterable<Uint8Array>;
  /** Told after each file; `isCopied` is false for what was there already. */
  readonly onFile: (path: string, file: ReleaseFile, isCopied: boolean) => void;
  readonly signal: AbortSignal | undefined;
};

/** Where a release goes. It is there when all of it is there, and what an interrupted call has written stays for the next one. */
export type ReleaseTarget = {
  /** @throws {FactoryError} with `ERR_FACTORY_RELEASE_OTHER` when another release has its version there; then nothing was written. */
  readonly store: (incoming: Incoming) => Promise<void>;
};

/** The files of a release in their order. */
export function filesOf({ release }: SignedRelease): readonly (readonly [path: string, file: ReleaseFile])[] {
  return Object.entries(release.files).sort(([a], [b]) => (a < b ? -1 : 1));
}
