import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { getRequestListener } from '@hono/node-server';
import { certificatePem, loadSecureBootKeys } from '@nodecore/efi';
import { SourceRegistry } from '@nodecore/oci';
import { codeOf } from '@nodecore/sys';
import { createServer } from '@nodecore/sys/http';
import { Observer } from '@nodecore/sys/observer';
import { type Clock, systemClock } from '@nodecore/waiting';

import { type Address, formatAddress } from './address.ts';
import { type Audit, type AuditOptions, openAudit } from './audit/open-audit.ts';
import type { Authentication } from './authentication.ts';
import { readAuthorities } from './authorities.ts';
import { Downloads } from './assets/downloads.ts';
import { Images } from './assets/images.ts';
import { InstallerEvidence } from './assets/evidence.ts';
import { loadInstallerKey } from './assets/installer-key.ts';
import type { SourceOptions } from './configuration.ts';
import { FactoryError } from './errors.ts';
import { Factory } from './factory.ts';
import { type ExchangeObserver, Exchanges } from './http/exchange.ts';
import { ReportAnswers } from './http/report-answers.ts';
import { routes } from './http/routes.ts';
import type { Sources } from './http/source-answers.ts';
import { FactoryMetrics } from './metrics/metrics.ts';
import { Oidc } from './oidc/oidc.ts';
import type { BucketOptions } from './objects/bucket-options.ts';
import { openObjects } from './objects/open-objects.ts';
import { SharedObjects } from './objects/shared-objects.ts';
import { type PostgresOptions } from './postgres/postgres-options.ts';
import { openRecords, type Records } from './records.ts';
import { loadReleases } from './releases/load.ts';
import { loadReleaseKeys } from './releases/release-keys.ts';
import { Htpasswd } from './passwords/htpasswd.ts';
import { Releases } from './releases/releases.ts';
import { Reports } from './reports/reports.ts';
import { type ScannerOptions, Vulnerabilities } from './reports/vulnerabilities.ts';
import type { SchematicRegistryOptions } from './schematics/registry-options.ts';
import { KeyFiles } from './tokens/key-files.ts';
import { Tokens } from './tokens/tokens.ts';

export type FactoryOptions = {
  /** Directory with one release in each of its directories. */
  readonly releases: string;
  /** Public keys in PEM, one of which has signed each release. */
  readonly releaseKeys: readonly string[];
  readonly listen: Address;
  /** Directory for schematics, and for the installer key when none is given; made when it isn't there. */
  readonly storage: string;
  /** Where schematics and tokens are that several factories share; without it they are in `storage`. Needs `installerSigningKey`. */
  readonly postgres?: PostgresOptions;
  /** Where schematics are that several factories share, in place of the database. Needs `installerSigningKey`. */
  readonly schematicRegistry?: SchematicRegistryOptions;
  /** Where what was compressed or converted is that several factories share, besides in `storage`. Needs `installerSigningKey`. */
  readonly bucket?: BucketOptions;
  /** Where clients reach it; by default where it listens. */
  readonly externalUrl?: string;
  /** Directory that `osctl gen secureboot` made. */
  readonly secureBootKeys?: string;
  /** Private Ed25519 key in PEM. */
  readonly installerSigningKey?: string;
  /** The most that is kept of what was compressed or converted; 10 GiB by default. What is being sent stays in any case. */
  readonly cacheSizeBytes?: number;
  /** How long a client may take nothing; 60 s by default. */
  readonly stallMs?: number;
  /** How callers are known. Without it everybody may ask for everything. */
  readonly authentication?: Authentication;
  /** Where all requests are recorded: files, or the database of `postgres`. */
  readonly audit?: AuditOptions;
  /** Where metrics are answered, to everybody who reaches it. */
  readonly metrics?: Address;
  /** Versions that are offered to nobody; who asks for their images gets them. */
  readonly brokenVersions?: readonly string[];
  /** Where images are that `/v2/os/` passes on; without it there are none. */
  readonly sources?: SourceOptions;
  /** Where vulnerabilities are told of; without it nothing is scanned. */
  readonly scanner?: ScannerOptions;
  /** Told what an operator should know, one line each; the standard error stream by default. */
  readonly onWarning?: (line: string) => void;
  /** By which tokens are issued and end. */
  readonly now?: () => Date;
};

/** Who hears of requests. */
type Observed = {
  readonly observers: readonly ExchangeObserver[];
  readonly witness: Audit['witness'];
  readonly metrics: FactoryMetrics | undefined;
  readonly address: Address | undefined;
};

/** A factory that answers. */
export type RunningFactory = AsyncDisposable & {
  readonly address: Address;
  /** Where metrics are answered. */
  readonly metricsAddress: Address | undefined;
  readonly externalUrl: string;
  readonly versions: readonly string[];
  /** What was not loaded, and why. */
  readonly refused: readonly string[];
  /** Answers nothing any more; what is being sent is cut off. A database that is silent is waited for 3 s, which is said. */
  readonly close: () => Promise<void>;
};

/**
 * Starts a factory in this process.
 *
 * @example
 * await using factory = await startFactory({
 *   releases: '/var/lib/factory/releases',
 *   releaseKeys: ['/etc/factory/release.pub'],
 *   listen: { host: '127.0.0.1', port: 8081 },
 *   storage: '/var/lib/factory',
 * });
 * console.log(factory.externalUrl, factory.versions);
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`; {@link EfiError} for keys that don't belong together; nothing is left open.
 */
export async function startFactory(options: FactoryOptions): Promise<RunningFactory> {
  const keys = await loadReleaseKeys(options.releaseKeys);
  const { loaded, refused: found } = await loadReleases(options.releases, keys);
  const refused = found.map(({ name, reason }) => `not loaded: ${name}: ${reason}`);
  const secureBoot =
    options.secureBootKeys === undefined ? undefined : await loadSecureBootKeys(options.secureBootKeys);
  await using open = new AsyncDisposableStack();
  assertShared(options);
  const records = open.use(await openRecords(options.storage, options, options.onWarning));
  const tokens = await openTokens(options, records, open);
  const passwords = await openPasswords(options, open);
  const installerKey = await loadInstallerKey(options.installerSigningKey, options.storage);
  const observed = await openObservers(options, records, open);
  const objects = await openObjects(options, { inTurn: records.inTurn, keys: installerKey, open });
  if (objects instanceof SharedObjects) observed.metrics?.watchObjects(objects);
  const sources = await openSources(options);
  const vulnerabilities = await openScanner(options, open);
  if (vulnerabilities !== undefined) observed.metrics?.watchVulnerabilities(vulnerabilities);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new FactoryError(
          'ERR_FACTORY_SETUP',
          `--listen ${formatAddress(options.listen)}: ${codeOf(error) ?? 'fails'}`,
          { cause: error },
        ),
      ),
    );
    server.listen(options.listen.port, options.listen.host, resolve);
  });
  const { address: host, port } = server.address() as AddressInfo;
  const externalUrl = (options.externalUrl ?? `http://${formatAddress({ host, port })}`).replace(/\/+$/, '');
  const oidc = options.authentication?.oidc;
  const images = new Images({ source: externalUrl, installerKey, secureBoot });
  const digests = new Map(loaded.flatMap((release) => [...release.digests]));
  const factory = new Factory({
    releases: new Releases(loaded, options.brokenVersions),
    images,
    downloads: new Downloads({ images, objects, digestOf: (path) => digests.get(path) }),
    store: records.schematics,
    externalUrl,
    hasPublicSchematics: options.authentication?.hasPublicSchematics ?? false,
    counts: observed.metrics,
  });
  const signingCertificate = secureBoot && certificatePem(secureBoot.signer.certificate);
  const exchanges = new Exchanges(observed.observers, observed.witness);
  const reports = new Reports({ releases: factory.releases, externalUrl, vulnerabilities });
  const app = routes({
    factory,
    refused,
    records,
    signingCertificate,
    stallMs: options.stallMs ?? 60_000,
    tokens,
    passwords,
    oidc: oidc && new Oidc(oidc, externalUrl, options.now ?? (() => new Date())),
    exchanges,
    reports: new ReportAnswers(factory, reports, options.now ?? (() => new Date())),
    evidence: new InstallerEvidence({ reports, key: installerKey, source: externalUrl }),
    metrics: observed.metrics,
    sources,
  });
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
  const resources = open.move();
  const close = async (): Promise<void> => {
    if (resources.disposed) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await exchanges.ended();
    await resources.disposeAsync();
  };
  return {
    address: { host, port },
    metricsAddress: observed.address,
    externalUrl,
    versions: factory.releases.versions,
    refused,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Factories that share records or objects answer for each other: what one has signed, all have. */
function assertShared(options: FactoryOptions): void {
  const { postgres, bucket, schematicRegistry, installerSigningKey, authentication } = options;
  const shared = [
    ['storage.postgres.url', 'a database', postgres],
    ['artifacts.schematic.registry', 'a registry', schematicRegistry],
    ['cache.s3.bucket', 'a bucket', bucket],
  ] as const;
  const [key, what] = shared.find(([, , where]) => where !== undefined) ?? [];
  if (key === undefined) return;
  const needs = `${key}: factories that share ${what} sign by the same key: give`;
  if (installerSigningKey === undefined)
    throw new FactoryError('ERR_FACTORY_SETUP', `${needs} installer.signingKeyPath`);
  if (postgres !== undefined && authentication?.keyPaths.length === 0)
    throw new FactoryError('ERR_FACTORY_SETUP', `${needs} authentication.tokens.keyPaths`);
}

async function openSources({ sources }: FactoryOptions): Promise<Sources | undefined> {
  if (sources === undefined) return undefined;
  const { registry, namespace, caPath } = sources;
  const ca = caPath === undefined ? undefined : await readAuthorities('artifacts.core.caPath', caPath);
  return { registry: new SourceRegistry(registry, { ca }), namespace };
}

/** Keys of tokens, owned by a stack. */
async function openTokens(
  { authentication, now, onWarning = console.error }: FactoryOptions,
  records: Records,
  open: AsyncDisposableStack,
): Promise<Tokens | undefined> {
  if (authentication === undefined) return undefined;
  const { keyPaths, lifetimes, maxPerSubject, oidc } = authentication;
  if (oidc !== undefined) await Oidc.check(oidc);
  const keys = open.use(await KeyFiles.open(keyPaths, onWarning));
  return new Tokens({ keys, records: await records.tokens(), lifetimes, maxPerSubject, ...(now && { now }) });
}

/** What is known of vulnerabilities, owned by a stack. */
async function openScanner(
  { scanner, storage, now, onWarning: warn = console.error }: FactoryOptions,
  open: AsyncDisposableStack,
): Promise<Vulnerabilities | undefined> {
  if (scanner === undefined) return undefined;
  const clock: Clock = now ? { ...systemClock, now: () => now().getTime() } : systemClock;
  return open.use(await Vulnerabilities.open(join(storage, 'vulnerabilities'), scanner, { clock, warn }));
}

async function openPasswords(
  { authentication, onWarning = console.error }: FactoryOptions,
  open: AsyncDisposableStack,
): Promise<Htpasswd | undefined> {
  const path = authentication?.htpasswdPath;
  return path === undefined ? undefined : open.use(await Htpasswd.open(path, onWarning));
}

/** The log of requests and the metrics, owned by a stack. */
async function openObservers(
  { audit: options, metrics: asked, onWarning: warn = console.error }: FactoryOptions,
  { database }: Records,
  open: AsyncDisposableStack,
): Promise<Observed> {
  const audit = options && (await openAudit(options, database, { open, warn }));
  const record = audit ? [audit.observer] : [];
  const witness = audit?.witness;
  if (asked === undefined) return { observers: record, witness, metrics: undefined, address: undefined };
  const metrics = new FactoryMetrics();
  if (audit !== undefined) metrics.watchAudit(audit.counts);
  const { registry } = metrics;
  const observer = new Observer({ contentType: registry.contentType, text: () => registry.metrics() });
  open.defer(() => observer.close());
  const address = await observer.listen(asked).catch((error: unknown) => {
    throw new FactoryError(
      'ERR_FACTORY_SETUP',
      `metrics.addr: ${formatAddress(asked)}: ${codeOf(error) ?? 'fails'}`,
      { cause: error },
    );
  });
  return { observers: [...record, metrics.ended], witness, metrics, address };
}
