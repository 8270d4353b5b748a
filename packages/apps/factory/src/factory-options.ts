import type { Address } from './address.ts';
import type { AuditOptions } from './audit/open-audit.ts';
import type { Authentication } from './authentication.ts';
import type { SourceOptions } from './configuration.ts';
import type { CertificatePaths } from './http/certificate-files.ts';
import type { BucketOptions } from './objects/bucket-options.ts';
import type { PostgresOptions } from './postgres/postgres-options.ts';
import type { ScannerOptions } from './reports/vulnerabilities.ts';
import type { SchematicRegistryOptions } from './schematics/registry-options.ts';

/** Where a factory reads, writes and answers, and how. */
export type FactoryOptions = {
  /** Directory with one release in each of its directories. */
  readonly releases: string;
  /** How often the directory is read again; 5 minutes by default, 0 for never. */
  readonly releaseRefreshMs?: number;
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
  /** With what it answers by HTTPS, in PEM, read again when it changes; without it, it answers by HTTP. */
  readonly tls?: CertificatePaths;
  /** Where clients reach it; by default where it listens. */
  readonly externalUrl?: string;
  /** Where iPXE reaches it, which may know no certificate of `externalUrl`; by default there. */
  readonly externalPxeUrl?: string;
  /** Sites whose pages may read answers in a browser, as `https://example.com`; all of them by default. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses and networks (`10.0.0.0/8`) of proxies, which are believed when they say who asks. */
  readonly trustedProxies?: readonly string[];
  /** Directory that `osctl gen secureboot` made. */
  readonly secureBootKeys?: string;
  /** Private Ed25519 key in PEM. */
  readonly installerSigningKey?: string;
  /** The most that is kept of what was compressed or converted; 10 GiB by default. What is being sent stays in any case. */
  readonly cacheSizeBytes?: number;
  /** How long a client may take nothing, and how long it may take to send a request; 60 s by default. */
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
