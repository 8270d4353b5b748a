import type { Descriptor } from '../manifest.ts';
import type { ByteRange } from '../range.ts';

/** A request, as far as a registry looks at it. Names of headers are lower case. */
export type RegistryRequest = {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** An answer for a transport to send. With HEAD there is no body, and the headers are those of GET. */
export type RegistryAnswer<B> = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | ({ readonly blob: B } & ByteRange);
};

/** What a registry answers from. `undefined` means that there is no such thing. `B` is whatever a blob's bytes come from. */
export type RegistrySource<B> = {
  /** All tags of a repository. */
  readonly tags: (repository: string) => Promise<readonly string[] | undefined>;
  /** A manifest by tag or digest. */
  readonly manifest: (repository: string, reference: string) => Promise<StoredManifest | undefined>;
  readonly blob: (
    repository: string,
    digest: string,
  ) => Promise<{ readonly size: number; readonly blob: B } | undefined>;
  /** Manifests that say something of the one with a digest, each with its `artifactType`; without it there are none. */
  readonly referrers?: (repository: string, digest: string) => Promise<readonly Descriptor[] | undefined>;
};

/** A manifest as its registry keeps it. */
export type StoredManifest = {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly digest: string;
};
