import { SbomError } from './errors.ts';

/** A package URL: what a component is called everywhere (ECMA-427). */
export type Purl = {
  /** As `deb` or `npm`. */
  readonly type: string;
  /** As `debian`, or the scope of an npm package with its `@`. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly version?: string | undefined;
  readonly qualifiers?: Readonly<Record<string, string>>;
};

/** @example formatPurl({ type: 'deb', namespace: 'debian', name: 'libc6', version: '2.36-9' }) // 'pkg:deb/debian/libc6@2.36-9' */
export function formatPurl({ type, namespace, name, version, qualifiers = {} }: Purl): string {
  const path = [...(namespace?.split('/') ?? []), name].map(encoded).join('/');
  const words = Object.entries(qualifiers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${encoded(value)}`);
  const behind = words.length === 0 ? '' : `?${words.join('&')}`;
  return `pkg:${type}/${path}${version === undefined ? '' : `@${encoded(version)}`}${behind}`;
}

/**
 * Reads a package URL. A subpath (`#…`) is passed over: no component here has one.
 *
 * @throws {SbomError} with `ERR_SBOM_INVALID`.
 */
export function parsePurl(text: string): Purl {
  const match = /^pkg:\/*(?<type>[a-z][a-z0-9.+-]*)\/(?<path>[^?#]+)(?:\?(?<query>[^#]*))?/i.exec(text);
  const { type = '', path = '', query = '' } = match?.groups ?? {};
  // The scope of an npm package may stand with its `@` as it is, at the beginning.
  const at = path.lastIndexOf('@') > 0 ? path.lastIndexOf('@') : path.length;
  const names = path.slice(0, at).split('/').filter(Boolean);
  const name = names.pop();
  if (match === null || name === undefined)
    throw new SbomError('ERR_SBOM_INVALID', `${JSON.stringify(text)} is no package URL`);
  const pairs = query.split('&').filter((word) => word.includes('='));
  const qualifiers = pairs.map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals).toLowerCase(), decoded(pair.slice(equals + 1), text)];
  });
  return {
    type: type.toLowerCase(),
    ...(names.length > 0 && { namespace: names.map((word) => decoded(word, text)).join('/') }),
    name: decoded(name, text),
    ...(at < path.length && { version: decoded(path.slice(at + 1), text) }),
    ...(qualifiers.length > 0 && { qualifiers: Object.fromEntries(qualifiers) }),
  };
}

/** Whether a package URL is of a component: what it leaves open is open. */
export function isPurlOf(pattern: Purl, component: Purl): boolean {
  const { version, qualifiers = {} } = pattern;
  return (
    pattern.type === component.type &&
    (pattern.namespace ?? '') === (component.namespace ?? '') &&
    pattern.name === component.name &&
    (version === undefined || version === component.version) &&
    Object.entries(qualifiers).every(([key, value]) => component.qualifiers?.[key] === value)
  );
}

/** Colons stay, everything else that a URL could take for its own does not. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('!', '%21').replaceAll("'", '%27');
}

function decoded(text: string, purl: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new SbomError('ERR_SBOM_INVALID', `${JSON.stringify(purl)} is no package URL`, { cause });
  }
}
