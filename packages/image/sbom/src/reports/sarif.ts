import { formatPurl } from '../purl.ts';
import type { Finding, Scan } from '../vulnerabilities/scan.ts';
import type { Severity } from '../vulnerabilities/severity.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  negligible: 'note',
  unknown: 'warning',
};

/** What dashboards sort by, where no score was told: the middle of the scale. */
const scores: Readonly<Record<Severity, number>> = {
  critical: 9.5,
  high: 8,
  medium: 5.5,
  low: 2,
  negligible: 0,
  unknown: 5,
};

/** A scan as SARIF 2.1.0: a rule for each vulnerability, a result for each component that has it. */
export function sarifReport({ product, findings, suppressed }: Scan, tool: string): string {
  const all = [...findings, ...suppressed.map(({ finding }) => finding)];
  const rules = [...new Map(all.map((finding) => [finding.advisory.id, ruleOf(finding)])).values()];
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const resultOf = ({ advisory, component, fixes }: Finding): Readonly<Record<string, unknown>> => ({
    ruleId: advisory.id,
    ruleIndex: indexes.get(advisory.id) ?? 0,
    level: levels[advisory.severity],
    message: {
      text: `${component.name} ${component.version} has ${advisory.id}${fixes.length > 0 ? `; fixed in ${fixes.join(', ')}` : ''}`,
    },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: `${product.name}-${product.version}` } },
        logicalLocations: [{ fullyQualifiedName: formatPurl(component.purl), kind: 'module' }],
      },
    ],
    partialFingerprints: { component: `${advisory.id}:${formatPurl(component.purl)}` },
  });
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'nodecore', version: tool, rules } },
        results: [
          ...findings.map(resultOf),
          ...suppressed.map(({ finding, statement }) => ({
            ...resultOf(finding),
            suppressions: [
              {
                kind: 'external',
                status: 'accepted',
                justification: statement.impact ?? statement.justification ?? statement.status,
              },
            ],
          })),
        ],
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function ruleOf({ advisory }: Finding): { readonly id: string } & Readonly<Record<string, unknown>> {
  const { id, summary, url, severity, score } = advisory;
  return {
    id,
    shortDescription: { text: summary || id },
    helpUri: url,
    defaultConfiguration: { level: levels[severity] },
    properties: { 'security-severity': (score ?? scores[severity]).toFixed(1), tags: ['security'] },
  };
}
