import { createHash } from 'node:crypto';

import type { Component } from '../component.ts';
import { formatPurl } from '../purl.ts';
import type { Bill } from './bill.ts';

/** The type of such a document. */
export const cycloneDxType = 'application/vnd.cyclonedx+json';

/**
 * The document as JSON of CycloneDX 1.6: a product that depends on its parts, each of which depends on its components. The same bytes for
 * the same contents.
 */
export function formatCycloneDx({ namespace, created, product, contents }: Bill): string {
  const components = cycloneDxComponents(contents.flatMap(({ part, components: below }) => [part, ...below]));
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([namespace, created, components]))}`,
    version: 1,
    metadata: {
      timestamp: created,
      tools: { components: [{ type: 'application', name: 'nodecore-sbom' }] },
      component: { ...cycloneDxComponent(product), type: 'operating-system' },
      properties: [{ name: 'nodecore:document', value: namespace }],
    },
    components,
    dependencies: dependenciesOf({ product, contents }),
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

/** Each part stands once, with what all of its namesakes are made of. */
function dependenciesOf({ product, contents }: Pick<Bill, 'product' | 'contents'>): readonly object[] {
  const below = new Map<string, Set<string>>([[formatPurl(product.purl), new Set()]]);
  const refer = (from: Component, to: Component): void => {
    const ref = formatPurl(from.purl);
    below.set(ref, (below.get(ref) ?? new Set()).add(formatPurl(to.purl)));
  };
  for (const { part, components } of contents) {
    refer(product, part);
    for (const component of components) refer(part, component);
  }
  return [...below].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] }));
}

/** Components, each once. */
export function cycloneDxComponents(components: readonly Component[]): readonly object[] {
  return [...new Map(components.map((each) => [formatPurl(each.purl), cycloneDxComponent(each)])).values()];
}

/** A component, whose reference is its package URL. */
export function cycloneDxComponent({
  name,
  version,
  purl,
  license,
}: Component): Readonly<Record<string, unknown>> {
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

/** The same UUID for the same text, of version 5's form. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
