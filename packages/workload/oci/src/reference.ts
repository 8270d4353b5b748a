import { type Digest, isDigest } from './digest.ts';
import { OciError } from './errors.ts';

/** Where an image is: `registry/repository:tag`, `registry/repository@digest`, or both, of which the digest counts. */
export type Reference = {
  /** Host, with a port when it is given: `127.0.0.1:8081`. */
  readonly registry: string;
  readonly repository: string;
  /** `latest` when neither tag nor digest was given. */
  readonly tag: string | undefined;
  readonly digest: Digest | undefined;
};

/** Whether a text can be the name of a repository: parts of lower-case letters and digits, with `.`, `_` or `-` between. */
export function isRepository(text: string): boolean {
  return (
    text.length <= 255 &&
    /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/.test(text)
  );
}

/** Whether a text can be a tag. */
export function isTag(text: string): boolean {
  return /^\w[\w.-]{0,127}$/.test(text);
}

/**
 * Reads the reference of an image; the registry must be named.
 *
 * @throws {OciError} with `ERR_OCI_REFERENCE`.
 */
export function parseReference(text: string): Reference {
  const wrong = (what: string): never => {
    throw new OciError('ERR_OCI_REFERENCE', `${JSON.stringify(text)}: ${what}`);
  };
  const [name = '', digest, more] = text.split('@');
  if (more !== undefined || (digest !== undefined && !isDigest(digest)))
    return wrong('what is behind @ must be a digest');
  const slash = name.indexOf('/');
  const registry = name.slice(0, Math.max(slash, 0));
  if (!isRegistry(registry))
    return wrong('it must begin with the host of a registry, as registry.example.com/image');
  const path = name.slice(slash + 1);
  const colon = path.indexOf(':');
  const repository = colon === -1 ? path : path.slice(0, colon);
  const tag = colon === -1 ? undefined : path.slice(colon + 1);
  if (!isRepository(repository)) return wrong('the name of the repository has other characters than it may');
  if (tag !== undefined && !isTag(tag)) return wrong('the tag has other characters than it may');
  return { registry, repository, tag: tag ?? (digest === undefined ? 'latest' : undefined), digest };
}

/**
 * Reads the name of an image as people write it: without a registry it is docker's own, `nginx` is `docker.io/library/nginx:latest`.
 *
 * @throws {OciError} with `ERR_OCI_REFERENCE`.
 */
export function parseImageName(text: string): Reference {
  const slash = text.indexOf('/');
  if (slash > 0 && isRegistry(text.slice(0, slash))) return parseReference(text);
  const path = slash === -1 ? `library/${text}` : text;
  return parseReference(`docker.io/${path}`);
}

/** The reference as text. */
export function formatReference({ registry, repository, tag, digest }: Reference): string {
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** A host with a dot, a port or brackets, or `localhost`: anything else would be a part of a repository's name. */
function isRegistry(text: string): boolean {
  const match =
    /^(?<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?<port>:\d{1,5})?$/.exec(text);
  const { host, port } = match?.groups ?? {};
  return host !== undefined && (host === 'localhost' || port !== undefined || /[.[]/.test(host));
}
