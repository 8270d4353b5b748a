import { type Component, subjectOf } from '../component.ts';
import type { VexDocument, VexStatement } from '../documents/vex.ts';
import { statementFor } from '../documents/vex.ts';
import { type Advisory, fixesOf, isAffected } from './advisory.ts';
import type { DatabaseFacts, VulnerabilityDatabase } from './database.ts';
import { compareSeverities } from './severity.ts';

/** A vulnerability of a component. */
export type Finding = {
  readonly advisory: Advisory;
  readonly component: Component;
  /** Versions that bring a fix, the oldest first; empty where there is none. */
  readonly fixes: readonly string[];
};

/** A finding that is none, and who says so. */
export type Suppressed = { readonly finding: Finding; readonly statement: VexStatement };

/** What was scanned, with what, and what was found. */
export type Scan = {
  /** What the components are parts of. */
  readonly product: Component;
  readonly components: readonly Component[];
  /** The worst first. */
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
  readonly database: DatabaseFacts;
};

/** How many packages are looked up before others get their turn. */
const turn = 25;

/**
 * Finds what is known to be wrong with the parts of a product, less what the statements say is not.
 *
 * @throws {SbomError} with `ERR_SBOM_DATABASE`.
 */
export async function scan(
  product: Component,
  components: readonly Component[],
  { database, vex }: { readonly database: VulnerabilityDatabase; readonly vex: VexDocument | undefined },
): Promise<Scan> {
  const found: Finding[] = [];
  const known = new Map<string, readonly Advisory[]>();
  for (const component of components) {
    const subject = subjectOf(component);
    if (subject === undefined) continue;
    const key = `${subject.type} ${subject.suite} ${subject.name}`;
    let advisories = known.get(key);
    if (advisories === undefined) {
      advisories = database.of(subject);
      known.set(key, advisories);
      if (known.size % turn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (const advisory of advisories)
      if (isAffected(advisory, subject))
        found.push({ advisory, component, fixes: fixesOf(advisory, subject) });
  }
  const suppressed: Suppressed[] = [];
  const findings = found.filter((finding) => {
    const statement = statementFor(vex, finding.advisory, finding.component, product);
    if (statement?.status !== 'not_affected' && statement?.status !== 'fixed') return true;
    suppressed.push({ finding, statement });
    return false;
  });
  return {
    product,
    components,
    findings: findings.toSorted(compareFindings),
    suppressed,
    database: database.facts,
  };
}

/** The worst first, and else an order that is the same each time. */
function compareFindings(a: Finding, b: Finding): number {
  return (
    compareSeverities(a.advisory.severity, b.advisory.severity) ||
    compareTexts(a.component.name, b.component.name) ||
    compareTexts(a.advisory.id, b.advisory.id)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
