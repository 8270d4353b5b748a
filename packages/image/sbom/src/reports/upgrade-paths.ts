import { compareVersions, parseVersion } from '@nodecore/schematic/release';

import type { Finding, Scan } from '../vulnerabilities/scan.ts';
import { severities, type Severity } from '../vulnerabilities/severity.ts';

/** What an upgrade to a version would change. */
export type UpgradeCandidate = {
  readonly version: string;
  /** The versions to go by, this one last. */
  readonly path: readonly string[];
  /** IDs of vulnerabilities that it no longer has, in the order of the alphabet. */
  readonly fixed: readonly string[];
  /** IDs of those that it has and the version before had not. */
  readonly introduced: readonly string[];
  /** How many it has. */
  readonly remaining: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
};

/** Where one can go to from a version, and what that is good for. */
export type Upgrades = { readonly from: string; readonly candidates: readonly UpgradeCandidate[] };

/**
 * The way from one version to a newer one: to the newest patch of its minor, from there one minor at a time, each by its newest patch.
 *
 * @param versions that there are, in any order; pre-releases are no stations unless they are the goal.
 * @throws {ReleaseError} with `ERR_RELEASE_VERSION` for a text that is no version.
 *
 * @example
 * upgradePath('v1.14.0', 'v1.16.0', ['v1.14.0', 'v1.14.2', 'v1.15.1', 'v1.16.0']); // ['v1.14.2', 'v1.15.1', 'v1.16.0']
 */
export function upgradePath(from: string, to: string, versions: readonly string[]): readonly string[] {
  const goal = parseVersion(to);
  const newest = new Map<string, string>();
  for (const version of versions.toSorted(compareVersions)) {
    const { major, minor, pre } = parseVersion(version);
    const isBetween = compareVersions(version, from) > 0 && compareVersions(version, to) < 0;
    const isOfGoal = major === goal.major && minor === goal.minor;
    if (isBetween && pre.length === 0 && !isOfGoal) newest.set(`${major}.${minor}`, version);
  }
  return [...newest.values(), to];
}

/**
 * What each newer version would change, the oldest first.
 *
 * @param from scan of the version that is there.
 * @param newer scans of newer versions, by version.
 * @throws {ReleaseError} with `ERR_RELEASE_VERSION` for a text that is no version.
 */
export function upgrades(
  version: string,
  from: Pick<Scan, 'findings'>,
  newer: ReadonlyMap<string, Pick<Scan, 'findings'>>,
): Upgrades {
  const before = idsOf(from.findings);
  const candidates = [...newer].toSorted(([a], [b]) => compareVersions(a, b));
  return {
    from: version,
    candidates: candidates.map(([each, { findings }]) => {
      const after = idsOf(findings);
      return {
        version: each,
        path: upgradePath(version, each, [...newer.keys()]),
        fixed: [...before].filter((id) => !after.has(id)).toSorted(),
        introduced: [...after].filter((id) => !before.has(id)).toSorted(),
        remaining: after.size,
        bySeverity: countsOf(findings),
      };
    }),
  };
}

function idsOf(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.map(({ advisory }) => advisory.id));
}

/** A vulnerability that several components have counts once, as bad as it is in the worst of them. */
function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const seen = new Map<string, Severity>();
  for (const { advisory } of findings)
    // the worst comes first
    if (!seen.has(advisory.id)) seen.set(advisory.id, advisory.severity);
  const counts = severities.map((severity) => [
    severity,
    [...seen.values()].filter((each) => each === severity).length,
  ]);
  return Object.fromEntries(counts) as Record<Severity, number>;
}
