import type { Purl, VexDocument, VexStatement } from '@nodecore/sbom';

/** What is said of vulnerabilities that auditors ask for, and that the node OS does not have. */
function statements(product: Purl): readonly VexStatement[] {
  const not = (
    vulnerability: string,
    justification: NonNullable<VexStatement['justification']>,
    impact: string,
    ...subcomponents: readonly Purl[]
  ): VexStatement => ({
    vulnerability,
    aliases: [],
    products: [{ purl: product, subcomponents }],
    status: 'not_affected',
    justification,
    impact,
  });
  const libc: Purl = { type: 'deb', namespace: 'debian', name: 'libc6' };
  return [
    not('CVE-2014-6271', 'component_not_present', 'The root has no shell; the build ends when it finds one.'),
    not('CVE-2021-4034', 'component_not_present', 'The root has no polkit.'),
    not(
      'CVE-2023-4911',
      'vulnerable_code_cannot_be_controlled_by_adversary',
      'Nothing in the root is set-user-ID; the build ends when it finds such a file.',
      libc,
    ),
  ];
}

/** What a release says of vulnerabilities. */
export function releaseStatements(product: Purl, version: string, created: string): VexDocument {
  return {
    id: `urn:nodecore:vex:${version}`,
    author: 'nodecore',
    timestamp: created,
    version: 1,
    statements: statements(product),
  };
}
