import type { Subject } from '../component.ts';
import { compareDebianVersions } from './debian-version.ts';
import { compareNpmVersions } from './npm-version.ts';
import type { Severity } from './severity.ts';

/** Versions from one on, up to another one. */
export type Range = {
  /** The first that is affected; `0` for all. */
  readonly introduced: string;
  /** The first that is not affected any more. */
  readonly fixed?: string;
  /** The last that is affected. */
  readonly last?: string;
};

/** What somebody has said of a vulnerability in one package. */
export type Advisory = {
  /** As `CVE-2026-0001` or `GHSA-…`. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly type: 'deb' | 'npm';
  /** As `bookworm`; empty where there are no suites. */
  readonly suite: string;
  /** Of Debian the source package. */
  readonly package: string;
  readonly ranges: readonly Range[];
  /** Versions that are affected whatever the ranges say. */
  readonly versions: readonly string[];
  readonly severity: Severity;
  /** CVSS base score, where it was told. */
  readonly score?: number | undefined;
  readonly summary: string;
  /** Where it is told to people. */
  readonly url: string;
};

/** How the versions of a type are ordered. */
export function compareVersionsOf(type: string): (a: string, b: string) => number {
  return type === 'deb' ? compareDebianVersions : compareNpmVersions;
}

/** Whether a version is one that the advisory is about. */
export function isAffected({ type, ranges, versions }: Advisory, { version }: Subject): boolean {
  const compare = compareVersionsOf(type);
  const isIn = ({ introduced, fixed, last }: Range): boolean =>
    (introduced === '0' || compare(version, introduced) >= 0) &&
    (fixed === undefined || compare(version, fixed) < 0) &&
    (last === undefined || compare(version, last) <= 0);
  return ranges.some(isIn) || versions.includes(version);
}

/** The versions that bring a fix for this one, the oldest first. */
export function fixesOf({ type, ranges }: Advisory, { version }: Subject): readonly string[] {
  const compare = compareVersionsOf(type);
  const fixes = ranges.flatMap(({ fixed }) => (fixed === undefined ? [] : [fixed]));
  return [...new Set(fixes)].filter((fixed) => compare(fixed, version) > 0).toSorted(compare);
}
