import { parseDocument } from 'yaml';

import { type Authentication, defaultAuthentication } from './authentication.ts';
import { FactoryError } from './errors.ts';
import { nearest } from './nearest.ts';
import {
  formatSeconds,
  type Lifetime,
  type Lifetimes,
  readSeconds,
  type TokenSort,
} from './tokens/lifetime.ts';

/** A file, and what it is called in errors. */
export type ConfigurationText = { readonly name: string; readonly text: string };

type Setting = { readonly value: unknown; readonly place: string };

const sorts: readonly TokenSort[] = ['stored', 'ephemeral', 'bootstrap'];
const bounds = ['min', 'default', 'max'] as const;

const tokens = 'authentication.tokens';

/** All that may be set, as it is written; read without regard to case. */
const known: readonly string[] = [
  'authentication.enabled',
  'authentication.htpasswdPath',
  'authentication.provider',
  'authentication.publicSchematics',
  `${tokens}.keyPaths`,
  `${tokens}.maxPerOrg`,
  ...sorts.flatMap((sort) => bounds.map((bound) => `${tokens}.ttl.${sort}.${bound}`)),
];

/** What earlier versions had, with all below it, and what stands in its place. */
const stale: readonly (readonly [key: string, instead: string])[] = [
  ['authentication.downloadTokenKeyPath', `${tokens}.keyPaths`],
  ['authentication.downloadTokenTTL', `${tokens}.ttl.ephemeral`],
  [`${tokens}.keyPath`, `${tokens}.keyPaths`],
  ['enterprise.nodeTokens', tokens],
];

/**
 * Reads the files, a later one before an earlier one, and then `IF_AUTHENTICATION_…` of the environment, which comes before all files.
 *
 * @returns undefined while authentication is off.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is; nothing that is not understood is passed over.
 */
export function readConfiguration(
  files: readonly ConfigurationText[],
  environment: Readonly<Record<string, string | undefined>>,
): Authentication | undefined {
  const settings = new Map<string, Setting>();
  for (const file of files) for (const [key, setting] of settingsOf(file)) settings.set(key, setting);
  for (const [key, setting] of settingsOfEnvironment(environment)) settings.set(key, setting);
  for (const [key, { place }] of settings) assertKnown(key, place);
  const at = (name: string): Setting | undefined => settings.get(name.toLowerCase());
  const htpasswdPath = readFile(at('authentication.htpasswdPath'));
  assertProvider(at('authentication.provider'));
  const authentication: Authentication = {
    ...(htpasswdPath === undefined ? {} : { htpasswdPath }),
    keyPaths: readList(`${tokens}.keyPaths`, at(`${tokens}.keyPaths`)),
    maxPerSubject: readCount(`${tokens}.maxPerOrg`, at(`${tokens}.maxPerOrg`)),
    lifetimes: Object.fromEntries(sorts.map((sort) => [sort, readLifetime(sort, at)])) as Lifetimes,
    hasPublicSchematics: readFlag('authentication.publicSchematics', at('authentication.publicSchematics')),
  };
  const isEnabled = readFlag('authentication.enabled', at('authentication.enabled'));
  return isEnabled ? authentication : undefined;
}

function settingsOf({ name, text }: ConfigurationText): ReadonlyMap<string, Setting> {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) throw wrong(`${name}: ${error.message.split('\n')[0] ?? 'is no YAML'}`);
  const found = new Map<string, Setting>();
  const collect = (value: unknown, path: readonly string[]): void => {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    const key = path.join('.').toLowerCase();
    if (isMap) for (const [part, item] of Object.entries(value)) collect(item, [...path, part]);
    else if (found.has(key)) throw wrong(`${name}: ${path.join('.')}: is there twice`);
    else if (path.length > 0) found.set(key, { value, place: `${name}: ${path.join('.')}` });
    else if (value !== null) throw wrong(`${name}: must be a map`);
  };
  collect(
    withoutAliases(name, () => document.toJS({ maxAliasCount: 0 })),
    [],
  );
  return found;
}

function withoutAliases(name: string, read: () => unknown): unknown {
  try {
    return read();
  } catch {
    throw wrong(`${name}: has aliases, which nothing here needs`);
  }
}

/** Of `IF_AUTHENTICATION_TOKENS_KEYPATHS=a,b` the same as a file would have. Other programs may have variables of their own. */
function* settingsOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Generator<readonly [string, Setting]> {
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && /^IF_(?:AUTHENTICATION|ENTERPRISE_NODETOKENS)(?:_|$)/i.test(name))
      yield [name.slice('IF_'.length).toLowerCase().replaceAll('_', '.'), { value, place: name }];
}

function assertKnown(key: string, place: string): void {
  const isAt = (name: string): boolean =>
    key === name.toLowerCase() || key.startsWith(`${name.toLowerCase()}.`);
  const old = stale.find(([name]) => isAt(name));
  if (old !== undefined) throw wrong(`${place}: is no more: ${old[1]} is in its place`);
  if (known.some((name) => name.toLowerCase() === key)) return;
  throw new FactoryError('ERR_FACTORY_SETUP', `${place}: no such key`, {
    nearest: nearest(key, known, 1),
  });
}

function readFlag(name: string, setting: Setting | undefined): boolean {
  const { value = false, place = name } = setting ?? {};
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrong(`${place}: must be true or false`);
}

function readFile(setting: Setting | undefined): string | undefined {
  if (setting === undefined || (typeof setting.value === 'string' && setting.value !== ''))
    return setting?.value as string | undefined;
  throw wrong(`${setting.place}: must be a file`);
}

function assertProvider(setting: Setting | undefined): void {
  if (setting !== undefined && setting.value !== 'htpasswd')
    throw wrong(`${setting.place}: htpasswd is the only one there is`);
}

function readCount(name: string, setting: Setting | undefined): number {
  const { value = defaultAuthentication.maxPerSubject, place = name } = setting ?? {};
  if (/^\d{1,6}$/.test(String(value)) && Number(value) > 0) return Number(value);
  throw wrong(`${place}: must be a number from 1 to 999999`);
}

function readList(name: string, setting: Setting | undefined): readonly string[] {
  const { value = [], place = name } = setting ?? {};
  const list: unknown = typeof value === 'string' ? value.split(',') : value;
  if (Array.isArray(list) && list.every((item) => typeof item === 'string' && item !== ''))
    return list as string[];
  throw wrong(`${place}: must be a list of files`);
}

function readLifetime(sort: TokenSort, at: (name: string) => Setting | undefined): Lifetime {
  const read = (bound: keyof Lifetime): number => {
    const name = `${tokens}.ttl.${sort}.${bound}`;
    const { value, place } = at(name) ?? { value: undefined, place: name };
    if (value === undefined) return defaultAuthentication.lifetimes[sort][bound];
    const seconds = typeof value === 'string' ? readSeconds(value) : undefined;
    if (seconds !== undefined && seconds >= 1) return Math.floor(seconds);
    throw wrong(`${place}: must be a duration as 720h or 1h30m`);
  };
  const found: Lifetime = { min: read('min'), default: read('default'), max: read('max') };
  if (found.min <= found.default && found.default <= found.max) return found;
  const words = bounds.map((bound) => `${bound} ${formatSeconds(found[bound])}`).join(', ');
  throw wrong(`${tokens}.ttl.${sort}: ${words}: must be in this order`);
}

function wrong(message: string): FactoryError {
  return new FactoryError('ERR_FACTORY_SETUP', message);
}
