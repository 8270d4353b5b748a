import {
  assertDigest,
  type Digest,
  DigestCheck,
  digestOf,
  isDigest,
  isTag,
  isWanted,
  OciError,
  type RegistryRequest,
  type SourceRegistry,
} from '@nodecore/oci';

import { type Answer, jsonAnswer } from './answer.ts';

/** Images that releases are made of, as they are called behind `/v2/os/`. */
export const sourceImages: readonly string[] = [
  'extensions',
  'image-factory',
  'imager',
  'installer',
  'installer-base',
  'node',
  'osctl-all',
  'overlays',
];

/** Where these images are. */
export type Sources = {
  readonly registry: SourceRegistry;
  /** What stands before their names there; empty for nothing. */
  readonly namespace: string;
};

/** Far above any manifest or list of tags. */
const largestDocument = 4 * 1024 * 1024;

const place =
  /^\/v2\/os\/(?<image>[^/]+)\/(?<rest>(?<kind>manifests|blobs|referrers)\/(?<reference>[^/]+)|tags\/list)$/;

/** What a request for an image of the source registry is answered: what that registry says, when it is what was asked for. */
export async function sourceAnswer(sources: Sources | undefined, request: RegistryRequest): Promise<Answer> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'UNSUPPORTED', 'nothing is pushed here');
  const { image = '', kind = 'tags', reference = '', rest = '' } = place.exec(request.path)?.groups ?? {};
  if (sources === undefined) return refuse(404, 'NAME_UNKNOWN', 'this factory has no source registry');
  if (!sourceImages.includes(image))
    return refuse(404, 'NAME_UNKNOWN', `there are ${sourceImages.join(', ')}`);
  if (
    kind === 'manifests' ? !isDigest(reference) && !isTag(reference) : kind !== 'tags' && !isDigest(reference)
  )
    return refuse(400, kind === 'manifests' ? 'TAG_INVALID' : 'DIGEST_INVALID', 'no digest');
  const asked = { sources, request, image, path: `${rest}${queryOf(request.query)}`, reference };
  try {
    return kind === 'blobs' ? await blobAnswer(asked) : await documentAnswer(asked);
  } catch (error) {
    if (!(error instanceof OciError)) throw error;
    if (error.code === 'ERR_OCI_NOT_FOUND')
      return refuse(404, unknownOf[kind] ?? 'NAME_UNKNOWN', 'no such thing');
    return refuse(503, 'UNAVAILABLE', 'the source registry does not give it', error.code);
  }
}

const otherTag = ['PRECONDITION_FAILED', 'if-match: what is here has another ETag'] as const;
const unknownOf: Readonly<Record<string, string>> = { manifests: 'MANIFEST_UNKNOWN', blobs: 'BLOB_UNKNOWN' };

type Asked = {
  readonly sources: Sources;
  readonly request: RegistryRequest;
  readonly image: string;
  /** Behind the name of the image. */
  readonly path: string;
  readonly reference: string;
};

/** Manifests and lists are read to their end before anything of them is said: what is no JSON, or another one, is not passed on. */
async function documentAnswer({ sources, request, image, path, reference }: Asked): Promise<Answer> {
  const { headers, chunks } = await sources.registry.ask(repositoryOf(sources, image), {
    method: 'GET',
    path,
    headers: passed(request.headers, ['accept']),
  });
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > largestDocument)
      throw new OciError('ERR_OCI_ANSWER', `${image}: above ${largestDocument} bytes`);
    read.push(chunk);
  }
  const bytes = Buffer.concat(read);
  if (path.startsWith('manifests/') && isDigest(reference)) assertDigest(bytes, reference);
  const document = parsed(bytes, image);
  const link = linkOf(headers.get('link'), image);
  const about = {
    'docker-distribution-api-version': 'registry/2.0',
    ...passed(Object.fromEntries(headers), ['content-type', 'oci-filters-applied']),
    ...(link === undefined ? {} : { link }),
  };
  if (!path.startsWith('manifests/')) {
    const named = 'name' in document ? { ...document, name: `os/${image}` } : document;
    return jsonAnswer(200, named, about);
  }
  const digest = digestOf(bytes);
  const etag = { etag: `"${digest}"`, 'docker-content-digest': digest };
  if (!isWanted(request.headers['if-match'], etag.etag)) return refuse(412, ...otherTag);
  return { status: 200, headers: { ...about, ...etag, 'content-length': `${bytes.length}` }, body: bytes };
}

/** A blob as it comes. When all of it was asked for and it is another one, the connection ends before its end. */
async function blobAnswer({ sources, request, image, path, reference }: Asked): Promise<Answer> {
  const { status, headers, chunks, cancel } = await sources.registry.ask(repositoryOf(sources, image), {
    method: request.method === 'HEAD' ? 'HEAD' : 'GET',
    path,
    headers: passed(request.headers, ['range', 'if-none-match', 'if-range']),
  });
  const etag = headers.get('etag') ?? undefined;
  // What says that a range is none need not say of what.
  if (!(status === 416 && etag === undefined) && !isWanted(request.headers['if-match'], etag)) {
    await cancel().catch(() => {});
    return refuse(412, ...otherTag);
  }
  const length = headers.get('content-length');
  const about = {
    'docker-distribution-api-version': 'registry/2.0',
    'content-type': 'application/octet-stream',
    'docker-content-digest': reference,
    ...passed(Object.fromEntries(headers), ['content-length', 'content-range', 'accept-ranges', 'etag']),
  };
  const isWhole = status === 200 && request.method !== 'HEAD' && isDigest(reference);
  const size = length === null ? undefined : Number(length);
  const body = { chunks: isWhole ? checked(chunks, reference, size) : chunks };
  return { status, headers: about, body, held: { [Symbol.dispose]: () => void cancel().catch(() => {}) } };
}

async function* checked(
  chunks: AsyncIterable<Uint8Array>,
  digest: Digest,
  size: number | undefined,
): AsyncGenerator<Uint8Array> {
  const check = new DigestCheck(digest, size);
  let last: Uint8Array | undefined;
  for await (const chunk of chunks) {
    check.update(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  check.end(); // before the last chunk, so that nobody has all of what is another blob
  if (last !== undefined) yield last;
}

function repositoryOf({ namespace }: Sources, image: string): string {
  return namespace === '' ? image : `${namespace}/${image}`;
}

/** As it was sent, but for what lets somebody in here. */
function queryOf(query: URLSearchParams): string {
  const others = new URLSearchParams(query);
  others.delete('token');
  return others.size === 0 ? '' : `?${others.toString()}`;
}

function passed(
  headers: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

/** The next page of a list, by its name here. */
function linkOf(link: string | null, image: string): string | undefined {
  const query = /^<[^>?]*\?(?<query>[^>]*)>; *rel="?next"?$/.exec(link ?? '')?.groups?.['query'];
  return query === undefined ? undefined : `</v2/os/${image}/tags/list?${query}>; rel="next"`;
}

function parsed(bytes: Buffer, image: string): object {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // said below
  }
  throw new OciError('ERR_OCI_ANSWER', `${image}: no JSON object`);
}

function refuse(status: number, code: string, message: string, detail?: string): Answer {
  const error = { code, message, ...(detail !== undefined && { detail }) };
  return jsonAnswer(status, { errors: [error] }, { 'docker-distribution-api-version': 'registry/2.0' });
}
