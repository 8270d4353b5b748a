import { ReleaseError } from './errors.ts';
import {
  type Architecture,
  architectureFiles,
  architectures,
  extensionFile,
  type Release,
  type ReleaseArchitecture,
  type ReleaseExtension,
  type ReleaseFile,
  releaseFileName,
  releaseLayout,
} from './release.ts';
import { isExtensionName } from '../extension/name.ts';
import { isVersion } from './version.ts';

/**
 * Reads the text of `release.json`. Nothing is taken that isn't known: what a later version adds has a later layout.
 *
 * @param file names the file in errors.
 * @throws {ReleaseError} with `ERR_RELEASE_INVALID` and the field, or with `ERR_RELEASE_LAYOUT`.
 */
export function parseRelease(text: string, file: string = releaseFileName): Release {
  const at = new Place(file, []);
  const fields = at.object(parsed(text, at));
  if (Number.isSafeInteger(fields['layout']) && fields['layout'] !== releaseLayout)
    throw new ReleaseError(
      'ERR_RELEASE_LAYOUT',
      file,
      'layout',
      `${String(fields['layout'])}, known is ${releaseLayout}`,
    );
  at.only(fields, ['layout', 'version', 'channel', 'created', 'minimumVersion', 'architectures', 'files']);
  if (fields['layout'] !== releaseLayout) at.in('layout').wrong(`must be ${releaseLayout}`);
  const release: Release = {
    layout: releaseLayout,
    version: at.in('version').text(fields['version'], isVersion, 'a version as v1.14.0'),
    channel: at
      .in('channel')
      .text(fields['channel'], (channel) => /^[a-z][a-z0-9-]{0,31}$/.test(channel), 'a word'),
    created: at.in('created').text(fields['created'], isTime, 'a time as 2026-11-22T00:00:00Z'),
    minimumVersion: at.in('minimumVersion').text(fields['minimumVersion'], isVersion, 'a version as v1.14.0'),
    architectures: architecturesOf(fields['architectures'], at.in('architectures')),
    files: filesOf(fields['files'], at.in('files')),
  };
  for (const [architecture, { extensions = {} }] of Object.entries(release.architectures))
    for (const name of [...architectureFiles, ...Object.keys(extensions).map(extensionFile)])
      if (release.files[`${architecture}/${name}`] === undefined)
        at.in('files').in(`${architecture}/${name}`).wrong('is missing');
  return release;
}

const extensionTexts = ['version', 'author', 'description', 'extraInfo'] as const;
const maxAliases = 16;

function parsed(text: string, at: Place): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return at.wrong('is no JSON');
  }
}

/** A field that is looked at, to name it in errors. */
class Place {
  readonly #file: string;
  readonly #path: readonly string[];

  constructor(file: string, path: readonly string[]) {
    this.#file = file;
    this.#path = path;
  }

  in(field: string): Place {
    return new Place(this.#file, [...this.#path, field]);
  }

  wrong(what: string): never {
    throw new ReleaseError('ERR_RELEASE_INVALID', this.#file, this.#path.join('.') || undefined, what);
  }

  object(value: unknown): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.wrong('must be an object');
    return value as Record<string, unknown>;
  }

  only(fields: Readonly<Record<string, unknown>>, names: readonly string[]): void {
    for (const name of Object.keys(fields))
      if (!names.includes(name)) this.in(name).wrong('is no field of a release');
  }

  text(value: unknown, isValid: (text: string) => boolean, what: string): string {
    return typeof value === 'string' && isValid(value) ? value : this.wrong(`must be ${what}`);
  }
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text));
}

function architecturesOf(value: unknown, at: Place): Release['architectures'] {
  const found: Partial<Record<Architecture, ReleaseArchitecture>> = {};
  for (const [name, facts] of Object.entries(at.object(value))) {
    const here = at.in(name);
    const architecture = architectures.find((each) => each === name);
    if (architecture === undefined)
      return here.wrong(`is no architecture; known are ${architectures.join(', ')}`);
    const fields = here.object(facts);
    here.only(fields, ['kernelVersion', 'extensions']);
    const extensions = extensionsOf(fields['extensions'] ?? {}, here.in('extensions'));
    found[architecture] = {
      kernelVersion: here
        .in('kernelVersion')
        .text(fields['kernelVersion'], isKernel, 'a version as uname -r says it'),
      ...(Object.keys(extensions).length > 0 && { extensions }),
    };
  }
  if (Object.keys(found).length === 0) at.wrong('must have one');
  return found;
}

function extensionsOf(value: unknown, at: Place): Readonly<Record<string, ReleaseExtension>> {
  const found: Record<string, ReleaseExtension> = {};
  for (const [name, facts] of Object.entries(at.object(value))) {
    const here = at.in(name);
    if (!isExtensionName(name)) here.wrong('is no name of an extension');
    const fields = here.object(facts);
    here.only(fields, [...extensionTexts, 'aliases']);
    const text = (field: (typeof extensionTexts)[number]): string =>
      here.in(field).text(fields[field], (each) => each.length <= 4096, 'a text of at most 4096 characters');
    const aliases = aliasesOf(fields['aliases'] ?? [], here.in('aliases'));
    found[name] = {
      ...(aliases.length > 0 && { aliases }),
      version: text('version'),
      author: text('author'),
      description: text('description'),
      extraInfo: text('extraInfo'),
    };
  }
  const taken = new Set(Object.keys(found));
  for (const [name, { aliases = [] }] of Object.entries(found))
    for (const alias of aliases) {
      if (taken.has(alias)) at.in(name).in('aliases').wrong(`${alias} is a name of another extension`);
      taken.add(alias);
    }
  return found;
}

function aliasesOf(value: unknown, at: Place): readonly string[] {
  if (!Array.isArray(value) || value.length > maxAliases)
    return at.wrong(`must be a list of at most ${maxAliases} names`);
  return value.map((each) => at.text(each, isExtensionName, 'names of extensions'));
}

function filesOf(value: unknown, at: Place): Release['files'] {
  const found: Record<string, ReleaseFile> = {};
  for (const [path, facts] of Object.entries(at.object(value))) {
    const here = at.in(path);
    if (!isFilePath(path)) here.wrong('is no path in a release');
    const fields = here.object(facts);
    here.only(fields, ['size', 'sha256']);
    const size = fields['size'];
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
      return here.in('size').wrong('must be a number of bytes');
    found[path] = { size, sha256: here.in('sha256').text(fields['sha256'], isDigest, '64 hex digits') };
  }
  return found;
}

/** A name made of parts that stay inside the directory: no `..`, no hidden part, nothing absolute. */
function isFilePath(path: string): boolean {
  return (
    path.length <= 255 &&
    /^[0-9A-Za-z_][0-9A-Za-z._+-]*(?:\/[0-9A-Za-z_][0-9A-Za-z._+-]*)*$/.test(path) &&
    path !== releaseFileName
  );
}

function isKernel(text: string): boolean {
  return /^\d[0-9A-Za-z.+~_-]{0,63}$/.test(text);
}

function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
