import type { Component } from '../component.ts';
import { Field } from '../field.ts';
import { formatPurl, isPurlOf, parsePurl, type Purl } from '../purl.ts';
import type { Advisory } from '../vulnerabilities/advisory.ts';

/** What a vulnerability is to a product (OpenVEX 0.2.0). */
export const vexStatuses = ['not_affected', 'affected', 'fixed', 'under_investigation'] as const;
/** Why a product is not affected. */
export const vexJustifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;

/** A product, or a part of one. */
export type VexProduct = { readonly purl: Purl; readonly subcomponents: readonly Purl[] };

/** What somebody says of a vulnerability in products. */
export type VexStatement = {
  readonly vulnerability: string;
  readonly aliases: readonly string[];
  readonly products: readonly VexProduct[];
  readonly status: (typeof vexStatuses)[number];
  readonly justification?: (typeof vexJustifications)[number];
  /** Why it does not harm, in words. */
  readonly impact?: string;
  readonly action?: string;
};

/** A document of OpenVEX. */
export type VexDocument = {
  readonly id: string;
  readonly author: string;
  readonly timestamp: string;
  readonly version: number;
  readonly statements: readonly VexStatement[];
};

const context = 'https://openvex.dev/ns/v0.2.0';

/** The document as JSON, the same bytes for the same document. */
export function formatVex({ id, author, timestamp, version, statements }: VexDocument): string {
  const document = {
    '@context': context,
    '@id': id,
    author,
    timestamp,
    version,
    statements: statements.map((statement) => ({
      vulnerability: {
        name: statement.vulnerability,
        ...(statement.aliases.length > 0 && { aliases: statement.aliases }),
      },
      products: statement.products.map(({ purl, subcomponents }) => ({
        '@id': formatPurl(purl),
        ...(subcomponents.length > 0 && {
          subcomponents: subcomponents.map((each) => ({ '@id': formatPurl(each) })),
        }),
      })),
      status: statement.status,
      ...(statement.justification !== undefined && { justification: statement.justification }),
      ...(statement.impact !== undefined && {
        // Its schema has a reason for machines or one in words, and a note beside either.
        [statement.justification === undefined ? 'impact_statement' : 'status_notes']: statement.impact,
      }),
      ...(statement.action !== undefined && { action_statement: statement.action }),
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** @throws {SbomError} with `ERR_SBOM_INVALID` and the field. */
export function readVex(text: string, name = 'vex.json'): VexDocument {
  const document = Field.parse(text, name);
  if (document.get('@context').text() !== context) document.get('@context').wrong(`must be ${context}`);
  const statements = document.get('statements').items().map(statementOf);
  if (statements.length === 0) document.get('statements').wrong('must have one');
  return {
    id: document.get('@id').text(),
    author: document.get('author').text(),
    timestamp: document.get('timestamp').time(),
    version: document.get('version').ordinal(),
    statements,
  };
}

/** What is not affected needs a reason, what is affected something to do: so the format has it. */
function statementOf(field: Field): VexStatement {
  const status = field.get('status').oneOf(vexStatuses);
  const given = field.get('justification');
  const justification = given.isThere ? given.oneOf(vexJustifications) : undefined;
  const statement = field.get('impact_statement').optionalText();
  const impact = statement ?? field.get('status_notes').optionalText();
  const action = field.get('action_statement').optionalText();
  if (status === 'not_affected' && justification === undefined && statement === undefined)
    field.wrong('not_affected needs a justification or an impact_statement');
  if (status === 'affected' && action === undefined) field.wrong('affected needs an action_statement');
  const products = field.get('products').items().map(productOf);
  if (products.length === 0) field.get('products').wrong('must have one');
  return {
    vulnerability: field.get('vulnerability').get('name').text(),
    aliases: field
      .get('vulnerability')
      .get('aliases')
      .items()
      .map((alias) => alias.text()),
    products,
    status,
    ...(justification !== undefined && { justification }),
    ...(impact !== undefined && { impact }),
    ...(action !== undefined && { action }),
  };
}

function productOf(field: Field): VexProduct {
  return {
    purl: parsePurl(field.get('@id').text()),
    subcomponents: field
      .get('subcomponents')
      .items()
      .map((each) => parsePurl(each.get('@id').text())),
  };
}

/** The last statement of a document on a vulnerability in a component of a product; undefined where it says nothing. */
export function statementFor(
  vex: VexDocument | undefined,
  { id, aliases }: Pick<Advisory, 'id' | 'aliases'>,
  component: Component,
  product: Component,
): VexStatement | undefined {
  const names = [id, ...aliases];
  return vex?.statements.findLast(
    (statement) =>
      [statement.vulnerability, ...statement.aliases].some((name) => names.includes(name)) &&
      statement.products.some(({ purl, subcomponents }) => {
        if (isPurlOf(purl, component.purl)) return true;
        if (!isPurlOf(purl, product.purl)) return false;
        return subcomponents.length === 0 || subcomponents.some((each) => isPurlOf(each, component.purl));
      }),
  );
}
