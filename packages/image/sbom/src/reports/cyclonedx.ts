import { createHash } from 'node:crypto';

import { formatPurl } from '../purl.ts';
import type { Component } from '../component.ts';
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
      component: { ...componentOf(product), type: 'operating-system' },
    },
    components: [...new Map(components.map((each) => [formatPurl(each.purl), componentOf(each)])).values()],
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

function componentOf({ name, version, purl, license }: Component): Readonly<Record<string, unknown>> {
  const text = formatPurl(purl);
  return {
    type: purl.type === 'npm' ? 'library' : 'application',
    'bom-ref': text,
    name,
    version,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    purl: text,
  };
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

/** The same UUID for the same scan, of version 5's form. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
