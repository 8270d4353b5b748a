import type { DatabaseFacts } from '@nodecore/sbom';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Asset } from '../assets/asset.ts';
import type { AuditCounts } from '../audit/open-audit.ts';
import type { SharedCounts } from '../objects/shared-objects.ts';
import type { Ended } from '../http/exchange.ts';
import type { Vulnerabilities } from '../reports/vulnerabilities.ts';

/** An image that somebody gets. */
export type Delivery = {
  readonly asset: Asset;
  /** Of a release that is there. */
  readonly version: string;
  /** Those that the release has. */
  readonly extensions: readonly string[];
  /** How long it took to make; undefined for one that was kept. */
  readonly madeSeconds: number | undefined;
  /** How many bytes of it are sent. */
  readonly bytes: number;
};

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const storeErrors: readonly string[] = ['ERR_FACTORY_STORE', 'ERR_FACTORY_STORE_FULL'];
const assetLabels = ['version', 'kind', 'arch'] as const;
/** Seconds: views are there in milliseconds, signed ones in a second, and slow clients take minutes. */
const buckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1, 5, 20, 60, 300];

/** What a factory counts. Every label has few values, none of which is a request's own. */
export class FactoryMetrics {
  readonly registry: Registry = new Registry();
  readonly #made = this.#counters();
  readonly #requests = this.#histogram(
    'http_request_duration_seconds',
    'How long requests took until their answers had gone.',
    ['method', 'route', 'status'],
  );
  readonly #firstByte = this.#histogram(
    'time_to_first_byte_seconds',
    'How long it took until the first byte of an answer was sent.',
    ['method', 'route'],
  );
  readonly #build = this.#histogram(
    'assets_build_latency_seconds',
    'How long it took to make images that were not kept.',
    assetLabels,
  );

  /** Of requests that have ended. */
  readonly ended = ({ method, route, status, error, durationMs, firstByteMs }: Ended): void => {
    const labels = { method: methods.includes(method) ? method : 'other', route };
    this.#requests.observe({ ...labels, status }, durationMs / 1_000);
    if (storeErrors.includes(error)) this.#made.storeErrors.inc({ code: error });
    if (firstByteMs !== undefined) this.#firstByte.observe(labels, firstByteMs / 1_000);
  };

  schematicRead(): void {
    this.#made.read.inc();
  }

  /** @param isNew whether nobody had submitted the same before. */
  schematicCreated(isNew: boolean): void {
    (isNew ? this.#made.created : this.#made.duplicates).inc();
  }

  delivered({ asset, version, extensions, madeSeconds, bytes }: Delivery): void {
    const { kind, architecture: arch } = asset;
    const labels = { version, kind, arch };
    if (madeSeconds === undefined) {
      this.#made.cached.inc(labels);
      this.#made.cachedBytes.inc(labels, bytes);
    } else {
      this.#made.built.inc(labels);
      this.#made.builtBytes.inc(labels, bytes);
      this.#build.observe(labels, madeSeconds);
    }
    for (const extension of extensions) this.#made.extensions.inc({ extension });
  }

  /** What the log of requests has, and what it has not. */
  watchAudit(audit: AuditCounts): void {
    this.#read('audit_records_total', 'Records of requests that were written.', () => audit.written);
    this.#read('audit_lost_total', 'Records of requests that could not be written.', () => audit.lost);
  }

  /** What came from a bucket that factories share, and went there. */
  watchObjects({ counts }: { readonly counts: () => SharedCounts }): void {
    const what = 'Objects that several images share';
    this.#read('objects_fetched_total', `${what}, from the bucket.`, () => counts().fetched);
    this.#read('objects_put_total', `${what}, put into the bucket.`, () => counts().put);
    this.#read('assets_cached_errors_total', 'Requests that the bucket failed.', () => counts().failed);
  }

  #read(name: string, help: string, value: () => number): void {
    const counter: Counter = new Counter({
      name: `image_factory_${name}`,
      help,
      registers: [this.registry],
      collect: () => {
        counter.reset();
        counter.inc(value());
      },
    });
  }

  /** How old what is known of vulnerabilities is. There is no value while nothing is known. */
  watchVulnerabilities(vulnerabilities: Pick<Vulnerabilities, 'facts'>): void {
    const gauge = (name: string, help: string, value: (facts: DatabaseFacts) => number): void => {
      const made: Gauge = new Gauge({
        name: `image_factory_${name}`,
        help,
        registers: [this.registry],
        collect: () => {
          made.reset();
          if (vulnerabilities.facts === undefined) made.remove();
          else made.set(value(vulnerabilities.facts));
        },
      });
    };
    gauge(
      'scanner_db_built_timestamp_seconds',
      'When the oldest list of vulnerabilities was made.',
      ({ built }) => built.getTime() / 1_000,
    );
    gauge(
      'scanner_db_advisories',
      'Vulnerabilities of packages that are known.',
      ({ advisories }) => advisories,
    );
  }

  #counters() {
    return {
      read: this.#counter('schematic_get_total', 'Schematics that were read.'),
      created: this.#counter('schematic_create_total', 'Schematics that were submitted for the first time.'),
      duplicates: this.#counter('schematic_duplicate_create_total', 'Schematics that were there already.'),
      storeErrors: this.#counter(
        'store_errors_total',
        'Requests that were refused because a store failed, or had no room.',
        ['code'],
      ),
      built: this.#counter('assets_built_total', 'Images that were made.', assetLabels),
      builtBytes: this.#counter('assets_built_bytes_total', 'Bytes sent of images just made.', assetLabels),
      cached: this.#counter('assets_delivered_cached_total', 'Images that were kept.', assetLabels),
      cachedBytes: this.#counter(
        'assets_cached_bytes_total',
        'Bytes sent of images that were kept.',
        assetLabels,
      ),
      extensions: this.#counter(
        'profile_system_extension_hits_total',
        'Extensions of images that were sent.',
        ['extension'],
      ),
    };
  }

  #counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({
      name: `image_factory_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }

  #histogram(name: string, help: string, labelNames: readonly string[]): Histogram {
    return new Histogram({
      name: `image_factory_${name}`,
      help,
      labelNames: [...labelNames],
      buckets,
      registers: [this.registry],
    });
  }
}
