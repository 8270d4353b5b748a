import { cycloneDxComponent, cycloneDxComponents, uuidOf } from '../documents/cyclonedx.ts';
import { formatPurl } from '../purl.ts';
import type { Finding, Scan } from '../vulnerabilities/scan.ts';
import type { Severity } from '../vulnerabilities/severity.ts';

const severities: Readonly<Record<Severity, string>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  negligible: 'info',
  unknown: 'unknown',
};

/** A scan as CycloneDX 1.6: the components, and the vulnerabilities of each; those that were said to be none with the reason. */
export function cycloneDxReport(scan: Scan): string {
  const { product, components, findings, suppressed, database } = scan;
  const identity = JSON.stringify([product.purl, components.map(({ purl }) => purl), database]);
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(identity)}`,
    version: 1,
    metadata: {
      timestamp: database.built.toISOString(),
      component: { ...cycloneDxComponent(product), type: 'operating-system' },
    },
    components: cycloneDxComponents(components),
    vulnerabilities: [
      ...findings.map((finding) => vulnerabilityOf(finding)),
      ...suppressed.map(({ finding, statement }) => ({
        ...vulnerabilityOf(finding),
        analysis: {
          state: statement.status === 'fixed' ? 'resolved' : 'not_affected',
          detail: statement.impact ?? statement.justification ?? statement.status,
        },
      })),
    ],
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function vulnerabilityOf({ advisory, component, fixes }: Finding): Readonly<Record<string, unknown>> {
  const { id, url, severity, score, summary } = advisory;
  const source = { name: new URL(url).hostname, url };
  return {
    'bom-ref': `${id}/${formatPurl(component.purl)}`,
    id,
    source,
    ratings: [
      { source, severity: severities[severity], ...(score !== undefined && { score, method: 'CVSSv31' }) },
    ],
    ...(summary !== '' && { description: summary }),
    ...(fixes.length > 0 && { recommendation: `Upgrade ${component.name} to ${fixes.join(' or ')}` }),
    affects: [{ ref: formatPurl(component.purl) }],
  };
}
