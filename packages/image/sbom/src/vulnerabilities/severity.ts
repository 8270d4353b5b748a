/** How bad a vulnerability is, the worst first. */
export const severities = ['critical', 'high', 'medium', 'low', 'negligible', 'unknown'] as const;

export type Severity = (typeof severities)[number];

/** @returns below 0 when `a` is worse. */
export function compareSeverities(a: Severity, b: Severity): number {
  return severities.indexOf(a) - severities.indexOf(b);
}

/** The word that a list uses, whatever its letters; `moderate` is `medium`, what says nothing is `unknown`. */
export function severityOfWord(word: string | undefined): Severity {
  const plain = word?.toLowerCase().replace(/\*+$/, '') ?? '';
  if (plain === 'moderate') return 'medium';
  if (plain === 'unimportant') return 'negligible';
  return severities.find((severity) => severity === plain) ?? 'unknown';
}

/** The qualitative scale of CVSS 3.1, 5. */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'negligible';
}

const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
/** Of `PR`, by whether the scope is changed. */
const privileges: Readonly<Record<string, readonly [unchanged: number, changed: number]>> = {
  N: [0.85, 0.85],
  L: [0.62, 0.68],
  H: [0.27, 0.5],
};

/**
 * The base score of a vector of CVSS 3.0 or 3.1 (specification 3.1, 7.1), 0 to 10.
 *
 * @returns undefined for a vector of another version, or one that lacks a metric.
 */
export function cvssScore(vector: string): number | undefined {
  if (!/^CVSS:3\.[01]\//.test(vector)) return undefined;
  const metrics = new Map(vector.split('/').map((part) => part.split(':', 2) as [string, string]));
  const weight = (metric: string): number => weights[metric]?.[metrics.get(metric) ?? ''] ?? Number.NaN;
  const scope = metrics.get('S');
  const isChanged = scope === 'C';
  const privilege = privileges[metrics.get('PR') ?? '']?.[isChanged ? 1 : 0] ?? Number.NaN;
  const lost = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact = isChanged ? 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15 : 6.42 * lost;
  const exploitability = 8.22 * weight('AV') * weight('AC') * privilege * weight('UI');
  if (Number.isNaN(impact + exploitability) || (scope !== 'C' && scope !== 'U')) return undefined;
  if (impact <= 0) return 0;
  return roundedUp(Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10));
}

/** To one decimal, as the specification's appendix A does it: without errors of binary fractions. */
function roundedUp(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}
