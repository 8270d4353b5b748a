import { digestOf, isDigest } from '../digest.ts';
import { formatIndex, mediaTypes } from '../manifest.ts';
import { isHeld, isWanted } from '../conditions.ts';
import { readRange } from '../range.ts';
import { isRepository, isTag } from '../reference.ts';
import type { RegistryAnswer, RegistryRequest, RegistrySource, StoredManifest } from './answer.ts';

/** The codes that we answer with: those of the distribution specification, and one for what it has none for. */
type ErrorCode =
  | 'BLOB_UNKNOWN'
  | 'DIGEST_INVALID'
  | 'MANIFEST_UNKNOWN'
  | 'NAME_INVALID'
  | 'NAME_UNKNOWN'
  | 'PRECONDITION_FAILED'
  | 'RANGE_INVALID'
  | 'TAG_INVALID'
  | 'UNSUPPORTED';

const version = { 'docker-distribution-api-version': 'registry/2.0' };

/** Whether a path is for {@link answerRegistry}. */
export function isRegistryPath(path: string): boolean {
  return path === '/v2' || path.startsWith('/v2/');
}

/**
 * Answers a request of the pulling half of the OCI distribution specification. Pure: it knows no transport and opens
 * nothing; a blob is answered as the place and the range to read.
 */
export async function answerRegistry<B>(
  request: RegistryRequest,
  source: RegistrySource<B>,
): Promise<RegistryAnswer<B>> {
  const { method, path, query } = request;
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(405, 'UNSUPPORTED', 'nothing is pushed here', { allow: 'GET, HEAD' });
  if (/^\/v2\/?$/.test(path)) return json({});
  const match =
    /^\/v2\/(?<name>.+)\/(?:(?<kind>manifests|blobs|referrers)\/(?<reference>[^/]+)|tags\/list)$/.exec(path);
  const { name = '', kind, reference = '' } = match?.groups ?? {};
  if (match === null) return refuse(404, 'UNSUPPORTED', 'no such path');
  if (!isRepository(name)) return refuse(400, 'NAME_INVALID', 'no name of a repository');
  if (kind === 'manifests') return await manifestOf(request, source, name, reference);
  if (kind === 'blobs') return await blobOf(request, source, name, reference);
  if (kind === 'referrers') return await referrersOf(request, source, name, reference);
  const tags = await source.tags(name);
  if (tags === undefined) return refuse(404, 'NAME_UNKNOWN', 'no such repository');
  return tagList(name, tags, query);
}

async function manifestOf<B>(
  { headers }: RegistryRequest,
  source: RegistrySource<B>,
  name: string,
  reference: string,
): Promise<RegistryAnswer<B>> {
  if (!isDigest(reference) && !isTag(reference))
    return refuse(400, 'TAG_INVALID', 'neither a tag nor a digest');
  const found = (await source.manifest(name, reference)) ?? (await fallbackOf(source, name, reference));
  if (found === undefined) return refuse(404, 'MANIFEST_UNKNOWN', 'no such manifest');
  const { bytes, mediaType, digest } = found;
  const about = {
    ...version,
    etag: `"${digest}"`,
    'docker-content-digest': digest,
    'content-type': mediaType,
  };
  const unsent = conditionally<B>(headers, about);
  if (unsent !== undefined) return unsent;
  return { status: 200, headers: { ...about, 'content-length': `${bytes.length}` }, body: bytes };
}

/** An index of what refers to a manifest; of a type alone when that is asked for. What is not there has nothing that refers to it. */
async function referrersOf<B>(
  { query }: RegistryRequest,
  source: RegistrySource<B>,
  name: string,
  digest: string,
): Promise<RegistryAnswer<B>> {
  if (!isDigest(digest)) return refuse(400, 'DIGEST_INVALID', 'no digest');
  const all = (await source.referrers?.(name, digest)) ?? [];
  const type = query.get('artifactType');
  const manifests = type === null ? all : all.filter(({ artifactType }) => artifactType === type);
  const body = formatIndex({ mediaType: mediaTypes.index, manifests });
  return {
    status: 200,
    headers: {
      ...version,
      'content-type': mediaTypes.index,
      'content-length': `${body.length}`,
      ...(type !== null && { 'oci-filters-applied': 'artifactType' }),
    },
    body,
  };
}

/** What clients ask for that know no referrers: the same index by the digest as a tag, when something is in it. */
async function fallbackOf<B>(
  source: RegistrySource<B>,
  name: string,
  tag: string,
): Promise<StoredManifest | undefined> {
  const digest = tag.replace('-', ':');
  if (tag.includes(':') || !isDigest(digest)) return undefined;
  const manifests = await source.referrers?.(name, digest);
  if (manifests === undefined || manifests.length === 0) return undefined;
  const bytes = formatIndex({ mediaType: mediaTypes.index, manifests });
  return { bytes, mediaType: mediaTypes.index, digest: digestOf(bytes) };
}

async function blobOf<B>(
  { headers }: RegistryRequest,
  source: RegistrySource<B>,
  name: string,
  digest: string,
): Promise<RegistryAnswer<B>> {
  if (!isDigest(digest)) return refuse(400, 'DIGEST_INVALID', 'no digest');
  const found = await source.blob(name, digest);
  if (found === undefined) return refuse(404, 'BLOB_UNKNOWN', 'no such blob');
  const { size, blob } = found;
  const about = {
    ...version,
    etag: `"${digest}"`,
    'docker-content-digest': digest,
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
  };
  const unsent = conditionally<B>(headers, about);
  if (unsent !== undefined) return unsent;
  // A part of another version would not fit to what the client has.
  const isSame = headers['if-range'] === undefined || headers['if-range'] === `"${digest}"`;
  const range = readRange(isSame ? headers['range'] : undefined, size);
  if (range === 'unsatisfiable')
    return refuse(416, 'RANGE_INVALID', `begins behind the last of ${size} bytes`, {
      'content-range': `bytes */${size}`,
      'accept-ranges': 'bytes',
    });
  if (range === undefined)
    return {
      status: 200,
      headers: { ...about, 'content-length': `${size}` },
      body: { blob, start: 0, end: size },
    };
  const { start, end } = range;
  const part = { 'content-range': `bytes ${start}-${end - 1}/${size}`, 'content-length': `${end - start}` };
  return { status: 206, headers: { ...about, ...part }, body: { blob, start, end } };
}

/** Tags in their order, `n` of them behind `last`, with a link to the next ones. */
function tagList<B>(name: string, tags: readonly string[], query: URLSearchParams): RegistryAnswer<B> {
  const last = query.get('last') ?? '';
  const max = /^\d{1,6}$/.test(query.get('n') ?? '') ? Number(query.get('n')) : tags.length;
  const after = tags.toSorted((a, b) => (a < b ? -1 : 1)).filter((tag) => tag > last);
  const page = after.slice(0, max);
  const answer = json<B>({ name, tags: page });
  const end = page.at(-1);
  if (end === undefined || page.length === after.length) return answer;
  const next = `</v2/${name}/tags/list?n=${max}&last=${encodeURIComponent(end)}>; rel="next"`;
  return { ...answer, headers: { ...answer.headers, link: next } };
}

/** What is answered in place of what was found: a client has it, or wants another one alone (RFC 9110, 13.1). */
function conditionally<B>(
  headers: RegistryRequest['headers'],
  about: Readonly<Record<string, string>> & { readonly etag: string },
): RegistryAnswer<B> | undefined {
  if (!isWanted(headers['if-match'], about.etag))
    return refuse(412, 'PRECONDITION_FAILED', 'if-match: what is here has another ETag');
  return isHeld(headers['if-none-match'], about.etag) ? { status: 304, headers: about } : undefined;
}

function json<B>(value: unknown, type = 'application/json'): RegistryAnswer<B> {
  const body = Buffer.from(JSON.stringify(value));
  return {
    status: 200,
    headers: { ...version, 'content-type': type, 'content-length': `${body.length}` },
    body,
  };
}

function refuse<B>(
  status: number,
  code: ErrorCode,
  message: string,
  more: Readonly<Record<string, string>> = {},
): RegistryAnswer<B> {
  const answer = json<B>({ errors: [{ code, message }] });
  return { ...answer, status, headers: { ...answer.headers, ...more } };
}
