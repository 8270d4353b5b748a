import { isRepository, parseReference } from '@nodecore/oci';
import { isVersion } from '@nodecore/schematic/release';

import type { Address } from './address.ts';
import { httpKeys, readAddress } from './http-settings.ts';
import { readServer, serverKeys, type ServerSettings } from './server-settings.ts';
import type { AuditOptions } from './audit/open-audit.ts';
import { type Authentication, defaultAuthentication } from './authentication.ts';
import { oidcKeys, readOidc } from './oidc/options.ts';
import { refusedKeys } from './refused-keys.ts';
import { isListUrl } from './reports/list-source.ts';
import { readTimeOfDay } from './reports/time-of-day.ts';
import { bucketKeys, type BucketOptions, readBucket } from './objects/bucket-options.ts';
import {
  readSchematicRegistry,
  schematicRegistryKeys,
  type SchematicRegistryOptions,
} from './schematics/registry-options.ts';
import type { ScannerOptions } from './reports/vulnerabilities.ts';
import { type ConfigurationText, type Environment, type KnownKeys, Settings, wrong } from './settings.ts';
import {
  formatSeconds,
  type Lifetime,
  type Lifetimes,
  readSeconds,
  type TokenSort,
} from './tokens/lifetime.ts';

/** What files and the environment say; what is undefined is off. */
export type Configuration = ServerSettings & {
  readonly authentication?: Authentication;
  readonly audit?: AuditOptions;
  /** Where schematics are that several factories share. */
  readonly schematicRegistry?: SchematicRegistryOptions;
  /** Where what was compressed or converted is that several factories share. */
  readonly bucket?: BucketOptions;
  /** Where metrics are answered. */
  readonly metrics?: Address;
  /** Versions that are offered to nobody. */
  readonly brokenVersions?: readonly string[];
  /** Where images are that releases are made of. */
  readonly sources?: SourceOptions;
  /** Where vulnerabilities are told of. */
  readonly scanner?: ScannerOptions;
};

/** A registry, and what stands before the names of images there; empty for nothing. */
export type SourceOptions = {
  readonly registry: string;
  readonly namespace: string;
  /** Authorities of the registry in PEM, in place of those that come with Node.js. */
  readonly caPath?: string;
};

const sorts: readonly TokenSort[] = ['stored', 'ephemeral', 'bootstrap'];
const bounds = ['min', 'default', 'max'] as const;

const tokens = 'authentication.tokens';

const keys: KnownKeys = {
  known: [
    'artifacts.core.caPath',
    'artifacts.core.namespace',
    'artifacts.core.registry',
    'audit.mode',
    'audit.file.path',
    'audit.file.maxSizeMB',
    'audit.file.maxBackups',
    'audit.file.maxAge',
    'audit.postgres.maxAge',
    'authentication.enabled',
    'authentication.htpasswdPath',
    ...oidcKeys,
    'authentication.provider',
    'authentication.publicSchematics',
    `${tokens}.keyPaths`,
    `${tokens}.maxPerOrg`,
    ...sorts.flatMap((sort) => bounds.map((bound) => `${tokens}.ttl.${sort}.${bound}`)),
    'build.brokenOSVersions',
    ...bucketKeys,
    ...schematicRegistryKeys,
    'enterprise.scanner.databaseUpdateAt',
    'enterprise.scanner.databaseURL',
    'metrics.addr',
    ...httpKeys,
    ...serverKeys,
  ],
  stale: [
    ['authentication.downloadTokenKeyPath', `${tokens}.keyPaths`],
    ['authentication.downloadTokenTTL', `${tokens}.ttl.ephemeral`],
    [`${tokens}.keyPath`, `${tokens}.keyPaths`],
    ['enterprise.nodeTokens', tokens],
  ],
  refused: refusedKeys,
  environment:
    /^(?:ARTIFACTS|AUDIT|AUTHENTICATION|BUILD|CACHE|ENTERPRISE_(?:NODETOKENS|SCANNER)|METRICS)(?:_|$)/i,
};

/**
 * Reads the files, a later one before an earlier one, and then `IF_AUTHENTICATION_…` and its like of the environment,
 * which come before all files.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is; nothing that is not understood is passed over.
 */
export function readConfiguration(
  files: readonly ConfigurationText[],
  environment: Environment,
): Configuration {
  const settings = new Settings(files, environment, keys);
  const authentication = readAuthentication(settings);
  const audit = readAudit(settings);
  const metrics = readAddress(settings, 'metrics.addr');
  const server = readServer(settings);
  const bucket = readBucket(settings, environment);
  const schematicRegistry = readSchematicRegistry(settings);
  const brokenVersions = readVersions(settings);
  const sources = readSources(settings);
  const scanner = readScanner(settings);
  return {
    ...server,
    ...(settings.flag('authentication.enabled') ? { authentication } : {}),
    ...(audit && { audit }),
    ...(metrics && { metrics }),
    ...(bucket && { bucket }),
    ...(schematicRegistry && { schematicRegistry }),
    ...(brokenVersions.length > 0 && { brokenVersions }),
    ...(sources && { sources }),
    ...(scanner && { scanner }),
  };
}

function readAuthentication(settings: Settings): Authentication {
  const htpasswdPath = settings.file('authentication.htpasswdPath');
  const isOidc = settings.word('authentication.provider', ['htpasswd', 'oidc']) === 'oidc';
  // The same name in both could be two people.
  if (isOidc && htpasswdPath !== undefined)
    throw wrong('authentication.htpasswdPath: authentication.provider oidc has no passwords');
  const oidc = readOidc(settings, isOidc);
  return {
    ...(htpasswdPath === undefined ? {} : { htpasswdPath }),
    ...(oidc && { oidc }),
    keyPaths: settings.files(`${tokens}.keyPaths`),
    maxPerSubject: settings.count(`${tokens}.maxPerOrg`, defaultAuthentication.maxPerSubject),
    lifetimes: Object.fromEntries(sorts.map((sort) => [sort, readLifetime(sort, settings)])) as Lifetimes,
    hasPublicSchematics: settings.flag('authentication.publicSchematics'),
  };
}

function readAudit(settings: Settings): AuditOptions | undefined {
  const path = settings.file('audit.file.path');
  const options = {
    maxSizeBytes: settings.count('audit.file.maxSizeMB', 256) * 2 ** 20,
    maxBackups: settings.count('audit.file.maxBackups', 16, 0),
    maxAgeDays: settings.count('audit.file.maxAge', 30, 0),
  };
  const maxAgeDays = settings.count('audit.postgres.maxAge', 30, 0);
  const mode = settings.word('audit.mode', ['none', 'file', 'postgres']);
  if (mode === 'none') return undefined;
  if (mode === 'postgres') {
    if (settings.at('storage.postgres.url') !== undefined) return { maxAgeDays };
    throw wrong('storage.postgres.url: audit.mode postgres needs it');
  }
  if (path === undefined) throw wrong('audit.file.path: audit.mode file needs it');
  return { path, ...options };
}

function readVersions(settings: Settings): readonly string[] {
  const name = 'build.brokenOSVersions';
  const versions = settings.files(name, 'versions');
  const none = versions.find((version) => !isVersion(version));
  if (none === undefined) return versions;
  throw wrong(`${settings.at(name)?.place ?? name}: ${none} is no version as v1.14.0`);
}

function readSources(settings: Settings): SourceOptions | undefined {
  const [registryName, namespaceName] = ['artifacts.core.registry', 'artifacts.core.namespace'] as const;
  const registry = settings.file(registryName, 'a host');
  const namespace = settings.file(namespaceName, "the beginning of a repository's name") ?? '';
  const place = (name: string): string => settings.at(name)?.place ?? name;
  if (namespace !== '' && !isRepository(namespace))
    throw wrong(`${place(namespaceName)}: must be the beginning of a repository's name`);
  const caPath = settings.file('artifacts.core.caPath');
  if (registry === undefined && namespace !== '') throw wrong(`${registryName}: ${namespaceName} needs it`);
  if (registry === undefined && caPath !== undefined)
    throw wrong(`${registryName}: artifacts.core.caPath needs it`);
  if (registry === undefined) return undefined;
  if (URL.canParse(`oci://${registry}`) && isReference(`${registry}/os`))
    return { registry, namespace, ...(caPath !== undefined && { caPath }) };
  throw wrong(`${place(registryName)}: must be a host as registry.example.com, or with a port`);
}

function readScanner(settings: Settings): ScannerOptions | undefined {
  const [urlName, timeName] = [
    'enterprise.scanner.databaseURL',
    'enterprise.scanner.databaseUpdateAt',
  ] as const;
  const urls = settings.files(urlName, 'URLs');
  const place = (name: string): string => settings.at(name)?.place ?? name;
  // Of a URL nothing is said: it may have a password in it.
  if (!urls.every(isListUrl)) throw wrong(`${place(urlName)}: must be https: or file: URLs`);
  const time = settings.file(timeName, 'a time of day as 07:00');
  const updateAtMs = readTimeOfDay(time ?? '07:00');
  if (updateAtMs === undefined) throw wrong(`${place(timeName)}: must be a time of day as 07:00, in UTC`);
  if (urls.length === 0 && time !== undefined) throw wrong(`${urlName}: ${timeName} needs it`);
  return urls.length === 0 ? undefined : { urls, updateAtMs };
}

function isReference(text: string): boolean {
  try {
    return parseReference(text).repository === 'os';
  } catch {
    return false;
  }
}

function readLifetime(sort: TokenSort, settings: Settings): Lifetime {
  const read = (bound: keyof Lifetime): number => {
    const name = `${tokens}.ttl.${sort}.${bound}`;
    const { value, place } = settings.at(name) ?? { value: undefined, place: name };
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
