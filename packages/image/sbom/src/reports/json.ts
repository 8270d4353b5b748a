import { formatPurl } from '../purl.ts';
import { subjectOf } from '../component.ts';
import type { Finding, Scan } from '../vulnerabilities/scan.ts';
import type { Severity } from '../vulnerabilities/severity.ts';

/** Severities as readers of grype's reports know them. */
const words: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  negligible: 'Negligible',
  unknown: 'Unknown',
};

/** A scan as JSON, with the fields of grype's report: what reads that reads this. */
export function jsonReport({ product, findings, suppressed, database }: Scan, tool: string): string {
  const report = {
    matches: findings.map(matchOf),
    ignoredMatches: suppressed.map(({ finding, statement }) => ({
      ...matchOf(finding),
      appliedIgnoreRules: [
        {
          namespace: 'vex',
          vulnerability: statement.vulnerability,
          'vex-status': statement.status,
          ...(statement.justification !== undefined && { 'vex-justification': statement.justification }),
          ...(statement.impact !== undefined && { reason: statement.impact }),
        },
      ],
    })),
    source: { type: 'sbom', target: { name: product.name, version: product.version } },
    distro: { name: product.name, version: product.version, idLike: [] },
    descriptor: {
      name: 'nodecore',
      version: tool,
      db: { built: database.built.toISOString(), advisories: database.advisories },
    },
  };
  return `${JSON.stringify(report, undefined, 1)}\n`;
}

function matchOf({ advisory, component, fixes }: Finding): Readonly<Record<string, unknown>> {
  const { id, aliases, severity, score, url, summary } = advisory;
  const vulnerability = {
    id,
    dataSource: url,
    severity: words[severity],
    urls: [url],
    description: summary,
    ...(score !== undefined && { cvss: [{ version: '3.1', metrics: { baseScore: score } }] }),
  };
  const subject = subjectOf(component);
  return {
    vulnerability: {
      ...vulnerability,
      fix: { versions: fixes, state: fixes.length > 0 ? 'fixed' : 'not-fixed' },
    },
    relatedVulnerabilities: aliases.map((alias) => ({ id: alias })),
    matchDetails: [
      {
        type: subject?.name === component.name ? 'exact-direct-match' : 'exact-indirect-match',
        matcher: component.purl.type === 'deb' ? 'dpkg-matcher' : 'javascript-matcher',
        searchedBy: { package: { name: subject?.name, version: subject?.version }, suite: subject?.suite },
        found: { vulnerabilityID: id },
      },
    ],
    artifact: {
      name: component.name,
      version: component.version,
      type: component.purl.type,
      purl: formatPurl(component.purl),
      locations: [],
    },
  };
}
