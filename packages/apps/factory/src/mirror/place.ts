import { OciError, parseReference } from '@nodecore/oci';
import { isVersion } from '@nodecore/schematic/release';

import { FactoryError } from '../errors.ts';

/** Where a release is, or goes; without a version the one that is there, or the one that comes. */
export type Place =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'layout'; readonly path: string; readonly version: string | undefined }
  | {
      readonly kind: 'registry';
      readonly registry: string;
      readonly repository: string;
      readonly version: string | undefined;
    };

/**
 * Reads a place: `docker://HOST/REPOSITORY[:VERSION]`, `oci:DIRECTORY[:VERSION]`, or a directory.
 *
 * @throws {FactoryError} with `ERR_FACTORY_PLACE`.
 */
export function parsePlace(text: string): Place {
  if (text.startsWith('docker://')) return registryPlace(text);
  if (!text.startsWith('oci:')) {
    if (text === '' || /^[a-z][a-z+-]*:/.test(text))
      throw wrong(text, 'must be a directory, oci:DIRECTORY or docker://HOST/REPOSITORY:VERSION');
    return { kind: 'directory', path: text };
  }
  const rest = text.slice('oci:'.length);
  const colon = rest.lastIndexOf(':');
  const version = rest.slice(colon + 1);
  // A directory may have a colon in its name; then what is behind it is no version.
  const place = colon >= 0 && isVersion(version) ? { path: rest.slice(0, colon), version } : { path: rest };
  if (place.path === '') throw wrong(text, 'must name a directory behind oci:');
  return { kind: 'layout', version: undefined, ...place };
}

/** The place as it is written. */
export function formatPlace(place: Place): string {
  if (place.kind === 'directory') return place.path;
  const behind = place.version === undefined ? '' : `:${place.version}`;
  return place.kind === 'layout'
    ? `oci:${place.path}${behind}`
    : `docker://${place.registry}/${place.repository}${behind}`;
}

function registryPlace(text: string): Place {
  try {
    const { registry, repository, tag, digest } = parseReference(text.slice('docker://'.length));
    if (digest !== undefined) throw wrong(text, 'a release is named by its version, not by a digest');
    if (tag === undefined || !(tag === 'latest' || isVersion(tag)))
      throw wrong(text, 'what is behind the last colon must be a version as v1.14.0');
    return { kind: 'registry', registry, repository, version: tag === 'latest' ? undefined : tag };
  } catch (error) {
    if (error instanceof OciError) throw wrong(text, error.message.replace(/^"[^"]*": /, ''));
    throw error;
  }
}

function wrong(text: string, what: string): FactoryError {
  return new FactoryError('ERR_FACTORY_PLACE', `${JSON.stringify(text)}: ${what}`);
}
