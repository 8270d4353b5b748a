import { type Digest, isDigest } from './digest.ts';
import { OciError } from './errors.ts';

/** Media types of images, by OCI's names. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
  layerGzip: 'application/vnd.oci.image.layer.v1.tar+gzip',
  layerZstd: 'application/vnd.oci.image.layer.v1.tar+zstd',
  /** Of what needs no configuration, or has no content: the two bytes `{}`. */
  empty: 'application/vnd.oci.empty.v1+json',
} as const;

const indexTypes: readonly string[] = [
  mediaTypes.index,
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const manifestTypes: readonly string[] = [
  mediaTypes.manifest,
  'application/vnd.docker.distribution.manifest.v2+json',
];

/** What a registry is asked for when a manifest is wanted. */
export const acceptedManifests: readonly string[] = [...indexTypes, ...manifestTypes];

/** The system that a manifest is for. */
export type Platform = { readonly os: string; readonly architecture: string; readonly variant?: string };

/** What names a blob: enough to fetch and to check it. */
export type Descriptor = {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly size: number;
  readonly platform?: Platform;
  /** In a list of referrers: what each one is. */
  readonly artifactType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** One image. */
export type Manifest = {
  readonly mediaType: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  /** What it is, when it is no image. */
  readonly artifactType?: string;
  /** The manifest that it says something of. */
  readonly subject?: Descriptor;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** Images of several platforms under one name. */
export type ImageIndex = {
  readonly mediaType: string;
  readonly manifests: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
};

/** What lies under a tag. */
export type ManifestOrIndex =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'index'; readonly index: ImageIndex };

/**
 * Reads a manifest or an index; which it is, its own fields say.
 *
 * @throws {OciError} with `ERR_OCI_MANIFEST`.
 */
export function parseManifest(bytes: Uint8Array): ManifestOrIndex {
  const fields = objectOf(jsonOf(bytes), 'the manifest');
  if (fields['schemaVersion'] !== 2) throw wrong('schemaVersion must be 2');
  const mediaType = fields['mediaType'];
  if (Array.isArray(fields['manifests'])) {
    const manifests = fields['manifests'].map((item, index) => descriptorOf(item, `manifests[${index}]`));
    return { kind: 'index', index: { mediaType: typeOf(mediaType, indexTypes), manifests } };
  }
  if (!Array.isArray(fields['layers'])) throw wrong('it has neither manifests nor layers');
  const manifest: Manifest = {
    mediaType: typeOf(mediaType, manifestTypes),
    config: descriptorOf(fields['config'], 'config'),
    layers: fields['layers'].map((item, index) => descriptorOf(item, `layers[${index}]`)),
  };
  return { kind: 'manifest', manifest };
}

/** The bytes of a manifest; the same manifest always gives the same bytes. */
export function formatManifest(manifest: Manifest): Buffer {
  const { mediaType, artifactType, config, layers, subject, annotations } = manifest;
  const fields = { schemaVersion: 2, mediaType, artifactType, config, layers, subject, annotations };
  return Buffer.from(JSON.stringify(fields));
}

/** The bytes of an index; the same index always gives the same bytes. */
export function formatIndex({ mediaType, manifests, annotations }: ImageIndex): Buffer {
  return Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, manifests, annotations }));
}

/**
 * The image of an index that is for a platform.
 *
 * @throws {OciError} with `ERR_OCI_NOT_FOUND` and the platforms that there are.
 */
export function platformOf(index: ImageIndex, { os, architecture }: Platform): Descriptor {
  const found = index.manifests.find(
    ({ platform }) => platform?.os === os && platform.architecture === architecture,
  );
  if (found !== undefined) return found;
  const there = index.manifests.flatMap(({ platform }) =>
    platform === undefined ? [] : [`${platform.os}/${platform.architecture}`],
  );
  throw new OciError(
    'ERR_OCI_NOT_FOUND',
    `no image for ${os}/${architecture}; there are ${there.join(', ') || 'none'}`,
  );
}

function wrong(what: string): OciError {
  return new OciError('ERR_OCI_MANIFEST', what);
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw wrong('the manifest is no JSON');
  }
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${what} must be an object`);
  return value as Record<string, unknown>;
}

function typeOf(value: unknown, known: readonly string[]): string {
  if (value === undefined) return known[0] ?? ''; // OCI allows to leave it out
  if (typeof value !== 'string' || !known.includes(value))
    throw wrong(`mediaType must be one of ${known.join(', ')}`);
  return value;
}

function descriptorOf(value: unknown, what: string): Descriptor {
  const { mediaType, digest, size, platform, annotations } = objectOf(value, what);
  if (typeof mediaType !== 'string') throw wrong(`${what}.mediaType must be a text`);
  if (typeof digest !== 'string' || !isDigest(digest))
    throw wrong(`${what}.digest must be a SHA-256 or SHA-512`);
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw wrong(`${what}.size must be a number of bytes`);
  return {
    mediaType,
    digest,
    size,
    ...(platform === undefined ? {} : { platform: platformFields(platform, `${what}.platform`) }),
    ...(annotations === undefined ? {} : { annotations: textsOf(annotations, `${what}.annotations`) }),
  };
}

function platformFields(value: unknown, what: string): Platform {
  const { os, architecture, variant } = objectOf(value, what);
  if (typeof os !== 'string' || typeof architecture !== 'string')
    throw wrong(`${what} must have os and architecture`);
  return { os, architecture, ...(typeof variant === 'string' ? { variant } : {}) };
}

function textsOf(value: unknown, what: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(value, what));
  if (entries.some(([, text]) => typeof text !== 'string')) throw wrong(`${what} must be texts`);
  return Object.fromEntries(entries) as Record<string, string>;
}
