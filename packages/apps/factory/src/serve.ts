import { join } from 'node:path';

import { getRequestListener } from '@hono/node-server';
import { certificatePem, loadSecureBootKeys } from '@nodecore/efi';
import { SourceRegistry } from '@nodecore/oci';
import { codeOf } from '@nodecore/sys';
import { Observer } from '@nodecore/sys/observer';
import { type Clock, systemClock } from '@nodecore/waiting';

import { type Address, formatAddress } from './address.ts';
import { type Audit, openAudit } from './audit/open-audit.ts';
import { readAuthorities } from './authorities.ts';
import { Downloads } from './assets/downloads.ts';
import { Images } from './assets/images.ts';
import { InstallerEvidence } from './assets/evidence.ts';
import { Proofs } from './assets/proofs.ts';
import { loadInstallerKey } from './assets/installer-key.ts';
import { FactoryError } from './errors.ts';
import { Factory } from './factory.ts';
import type { FactoryOptions } from './factory-options.ts';
import { type ExchangeObserver, Exchanges } from './http/exchange.ts';
import { AllowedOrigins } from './http/allowed-origins.ts';
import { CertificateFiles } from './http/certificate-files.ts';
import { listeningServer } from './http/listening-server.ts';
import { ReportAnswers } from './http/report-answers.ts';
import { routes } from './http/routes.ts';
import { TrustedProxies } from './http/trusted-proxies.ts';
import { serveRequests, unreadable } from './http/unreadable.ts';
import type { Sources } from './http/source-answers.ts';
import { FactoryMetrics } from './metrics/metrics.ts';
import { Oidc } from './oidc/oidc.ts';
import { openObjects } from './objects/open-objects.ts';
import { SharedObjects } from './objects/shared-objects.ts';
import { openRecords, type Records } from './records.ts';
import { ReleaseDirectory } from './releases/release-directory.ts';
import { loadReleaseKeys } from './releases/release-keys.ts';
import { Htpasswd } from './passwords/htpasswd.ts';
import { Reports } from './reports/reports.ts';
import { Vulnerabilities } from './reports/vulnerabilities.ts';
import { KeyFiles } from './tokens/key-files.ts';
import { Tokens } from './tokens/tokens.ts';
import { EmbeddedCheck } from './schematics/embedded-check.ts';

/** A release that came in is offered within this time. */
const defaultRefreshMs = 300_000;

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
  /** What is not loaded, and why, with paths of this machine. */
  readonly refused: readonly string[];
  /** Reads the directory of releases again, now. Resolves when what came in is offered; never rejects. */
  readonly reloadReleases: () => Promise<void>;
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
  const secureBoot =
    options.secureBootKeys === undefined ? undefined : await loadSecureBootKeys(options.secureBootKeys);
  await using open = new AsyncDisposableStack();
  const directory = open.use(
    await ReleaseDirectory.open({
      directory: options.releases,
      keys,
      broken: options.brokenVersions,
      refreshMs: options.releaseRefreshMs ?? defaultRefreshMs,
      warn: options.onWarning ?? console.error,
    }),
  );
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
  const stallMs = options.stallMs ?? 60_000;
  const { tls, onWarning = console.error } = options;
  const certificate = tls && open.use(await CertificateFiles.open(tls, onWarning));
  const exchanges = new Exchanges(observed.observers, {
    witness: observed.witness,
    proxies: new TrustedProxies(options.trustedProxies),
  });
  open.defer(() => exchanges.ended());
  const { server, address } = await listeningServer(options.listen, { stallMs, certificate, open });
  const externalUrl = withoutSlash(
    options.externalUrl ?? `${tls === undefined ? 'http' : 'https'}://${formatAddress(address)}`,
  );
  const oidc = options.authentication?.oidc;
  const images = new Images({ source: externalUrl, installerKey, secureBoot });
  const { releases, digestOf } = directory;
  const factory = new Factory({
    releases,
    images,
    downloads: new Downloads({ images, objects, digestOf }),
    store: records.schematics,
    embedded: open.use(new EmbeddedCheck()),
    externalUrl,
    externalPxeUrl: options.externalPxeUrl && withoutSlash(options.externalPxeUrl),
    hasPublicSchematics: options.authentication?.hasPublicSchematics ?? false,
    counts: observed.metrics,
  });
  const signingCertificate = secureBoot && certificatePem(secureBoot.signer.certificate);
  const reports = new Reports({ releases: factory.releases, externalUrl, vulnerabilities });
  const app = routes({
    factory,
    directory,
    origins: new AllowedOrigins(options.allowedOrigins),
    records,
    signingCertificate,
    stallMs,
    tokens,
    passwords,
    oidc: oidc && new Oidc(oidc, externalUrl, options.now ?? (() => new Date())),
    exchanges,
    reports: new ReportAnswers(factory, reports, options.now ?? (() => new Date())),
    proofs: new Proofs(installerKey),
    evidence: new InstallerEvidence({ reports, key: installerKey, source: externalUrl }),
    metrics: observed.metrics,
    sources,
  });
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    hostname: 'localhost', // of who says none, by HTTP/1.0
    errorHandler: unreadable,
  });
  serveRequests(server, listener);
  const resources = open.move();
  const close = (): Promise<void> => resources.disposeAsync();
  return {
    address,
    metricsAddress: observed.address,
    externalUrl,
    get versions() {
      return releases.versions;
    },
    get refused() {
      return directory.refusedInDetail;
    },
    reloadReleases: () => directory.reload(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
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
