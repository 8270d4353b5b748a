import { bytes, type Operation } from './operations.ts';

const artifactType = { description: 'only what is of this type', schema: { type: 'string' } } as const;
const registryManifest = 'application/vnd.oci.image.index.v1+json';

/** What is served at the paths of a registry, which the router does not take apart. */
export const registryOperations: Readonly<Record<string, Operation>> = {
  'GET /v2/': {
    tag: 'registry',
    summary: 'Whether this is a registry',
    success: { 200: { description: 'it is', type: 'application/json' } },
  },
  'GET /v2/:image/:schematic/manifests/:reference': {
    tag: 'registry',
    summary: 'The index, or by its digest a manifest, of an installer',
    success: { 200: { description: 'OCI image index or manifest', type: registryManifest } },
    problems: [404, 412, 503],
  },
  'GET /v2/:image/:schematic/blobs/:digest': {
    tag: 'registry',
    summary: 'A blob of an installer',
    success: {
      200: { description: 'the blob', type: bytes },
      206: { description: 'the range that was asked for', type: bytes },
    },
    problems: [404, 412, 416, 503],
  },
  'GET /v2/:image/:schematic/tags/list': {
    tag: 'registry',
    summary: 'The versions of an installer',
    success: { 200: { description: 'tags', type: 'application/json' } },
    problems: [404],
  },
  'GET /v2/:image/:schematic/referrers/:digest': {
    tag: 'registry',
    summary: 'What is said of an installer: its signature, what it is made of, from what it came',
    query: { artifactType },
    success: { 200: { description: 'OCI image index', type: registryManifest } },
    problems: [400, 503],
  },
  'GET /v2/os/release/manifests/:reference': {
    tag: 'registry',
    summary: 'The manifest of a release, by its version or its digest',
    success: {
      200: { description: 'OCI image manifest', type: 'application/vnd.oci.image.manifest.v1+json' },
    },
    problems: [400, 404, 412],
  },
  'GET /v2/os/release/blobs/:digest': {
    tag: 'registry',
    summary: 'release.json, its signature or a file of a release',
    success: {
      200: { description: 'the blob', type: bytes },
      206: { description: 'the range that was asked for', type: bytes },
    },
    problems: [400, 404, 412, 416],
  },
  'GET /v2/os/release/tags/list': {
    tag: 'registry',
    summary: 'The versions of the releases that are here',
    success: { 200: { description: 'tags', type: 'application/json' } },
    problems: [404],
  },
  'GET /v2/os/:source/manifests/:reference': {
    tag: 'registry',
    summary: 'A manifest or an index of an image that releases are made of, as its registry has it',
    success: { 200: { description: 'OCI image index or manifest', type: registryManifest } },
    problems: [400, 404, 412, 503],
  },
  'GET /v2/os/:source/blobs/:digest': {
    tag: 'registry',
    summary: 'A blob of such an image',
    success: {
      200: { description: 'the blob', type: bytes },
      206: { description: 'the range that was asked for', type: bytes },
      416: { description: 'a range that there is not' },
    },
    problems: [400, 404, 412, 503],
  },
  'GET /v2/os/:source/referrers/:digest': {
    tag: 'registry',
    summary: 'What is said of such an image',
    query: { artifactType },
    success: { 200: { description: 'OCI image index', type: registryManifest } },
    problems: [400, 404, 503],
  },
  'GET /v2/os/:source/tags/list': {
    tag: 'registry',
    summary: 'The tags of such an image',
    success: { 200: { description: 'tags', type: 'application/json' } },
    problems: [404, 503],
  },
};
