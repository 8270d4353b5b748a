import { createHash } from 'node:crypto';

import type { Component } from '../component.ts';
import { Field } from '../field.ts';
import { formatPurl, parsePurl } from '../purl.ts';
import type { Bill } from './bill.ts';

type Package = {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo: string;
  readonly downloadLocation: 'NOASSERTION';
  readonly filesAnalyzed: false;
  readonly licenseConcluded: 'NOASSERTION';
  readonly licenseDeclared: string;
  readonly copyrightText: 'NOASSERTION';
  readonly externalRefs: readonly [
    {
      readonly referenceCategory: 'PACKAGE-MANAGER';
      readonly referenceType: 'purl';
      readonly referenceLocator: string;
    },
  ];
};

/** The type of such a document. */
export const spdxType = 'application/spdx+json';

const root = 'SPDXRef-product';

/**
 * The document as JSON of SPDX 2.3: a product that contains its parts, each of which contains its components. The same bytes for the
 * same contents.
 */
export function formatSpdx({ name, namespace, created, product, contents }: Bill): string {
  const packages = [packageOf(root, product)];
  const relationships = [relationship('SPDXRef-DOCUMENT', 'DESCRIBES', root)];
  for (const { part, components } of contents) {
    const prefix = idOf(part.name);
    const partId = `SPDXRef-${prefix}`;
    packages.push(packageOf(partId, part));
    relationships.push(relationship(root, 'CONTAINS', partId));
    const seen = new Set<string>();
    for (const component of components) {
      const id = `${partId}-${idOf(formatPurl(component.purl))}`;
      if (seen.has(id)) continue;
      seen.add(id);
      packages.push(packageOf(id, component));
      relationships.push(relationship(partId, 'CONTAINS', id));
    }
  }
  const document = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name,
    documentNamespace: namespace,
    creationInfo: { created, creators: ['Organization: nodecore', 'Tool: nodecore-sbom'] },
    packages,
    relationships,
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function packageOf(id: string, { name, version, purl, license }: Component): Package {
  return {
    SPDXID: id,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license ?? 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    externalRefs: [
      {
        referenceCategory: 'PACKAGE-MANAGER',
        referenceType: 'purl',
        referenceLocator: formatPurl(purl),
      },
    ],
  };
}

function relationship(from: string, relationshipType: string, to: string): Readonly<Record<string, string>> {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
}

/** Letters, digits, dots and dashes, all that an ID may have; two texts that become the same are told apart by their hash. */
function idOf(text: string): string {
  const plain = text
    .replace(/^pkg:/, '')
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^-|-$/g, '');
  if (plain === text) return plain;
  return `${plain.slice(0, 80)}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/**
 * Reads a document as {@link formatSpdx} writes it, or another one of SPDX 2.3 whose packages have package URLs: a product, its parts
 * and their components. What has no package URL is left out.
 *
 * @throws {SbomError} with `ERR_SBOM_INVALID` and the field.
 */
export function readSpdx(text: string, name: string): Bill {
  const document = Field.parse(text, name);
  if (document.get('spdxVersion').text() !== 'SPDX-2.3')
    document.get('spdxVersion').wrong('must be SPDX-2.3');
  const components = new Map<string, Component>();
  for (const field of document.get('packages').items()) {
    const component = componentOf(field);
    if (component !== undefined) components.set(field.get('SPDXID').text(), component);
  }
  const below = new Map<string, string[]>();
  for (const field of document.get('relationships').items()) {
    const from = field.get('spdxElementId').text();
    const kind = field.get('relationshipType').text();
    if (kind !== 'CONTAINS' && kind !== 'DESCRIBES') continue;
    below.set(from, [...(below.get(from) ?? []), field.get('relatedSpdxElement').text()]);
  }
  const [product] = below.get('SPDXRef-DOCUMENT') ?? [];
  const found = product === undefined ? undefined : components.get(product);
  if (product === undefined || found === undefined)
    return document.get('relationships').wrong('must say what the document describes');
  const known = (ids: readonly string[] = []): readonly Component[] =>
    ids.flatMap((id) => components.get(id) ?? []);
  return {
    name: document.get('name').text(),
    namespace: document.get('documentNamespace').text(),
    created: document.get('creationInfo').get('created').text(),
    product: found,
    contents: (below.get(product) ?? []).flatMap((id) => {
      const part = components.get(id);
      return part === undefined ? [] : [{ part, components: known(below.get(id)) }];
    }),
  };
}

function componentOf(field: Field): Component | undefined {
  for (const reference of field.get('externalRefs').items()) {
    if (reference.get('referenceType').text() !== 'purl') continue;
    const license = field.get('licenseDeclared').optionalText();
    return {
      name: field.get('name').text(),
      version: field.get('versionInfo').optionalText() ?? '',
      purl: parsePurl(reference.get('referenceLocator').text()),
      ...(license !== undefined && license !== 'NOASSERTION' && { license }),
    };
  }
  return undefined;
}
