import type { Scan } from '../vulnerabilities/scan.ts';
import { severities } from '../vulnerabilities/severity.ts';

const heads = ['NAME', 'INSTALLED', 'FIXED IN', 'TYPE', 'VULNERABILITY', 'SEVERITY'] as const;

/** A scan for people: a line for each vulnerability, and how many there are, of how old a database. */
export function tableReport({ findings, suppressed, database, product }: Scan, now: Date): string {
  const rows = findings.map(({ component, advisory, fixes }) => [
    component.name,
    component.version,
    fixes.join(', '),
    component.purl.type,
    advisory.id,
    advisory.severity,
  ]);
  const all = [[...heads], ...rows].map((row) => row.map(printable));
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const counts = severities
    .map((severity) => [severity, findings.filter(({ advisory }) => advisory.severity === severity).length])
    .filter(([, count]) => count !== 0)
    .map(([severity, count]) => `${count} ${severity}`);
  const days = Math.max(0, Math.floor((now.getTime() - database.built.getTime()) / 86_400_000));
  const age = days === 1 ? '1 day' : `${days} days`;
  return [
    ...(rows.length === 0 ? [] : lines),
    ...(rows.length === 0 ? [] : ['']),
    `${product.name} ${product.version}: ${counts.join(', ') || 'no known vulnerability'}; ${suppressed.length} not affected or fixed`,
    `vulnerabilities as of ${database.built.toISOString()}, ${age} old`,
    '',
  ].join('\n');
}

/** What lists say goes to terminals. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
