import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import test from 'ava';

import { releaseStatements } from '../../release/src/bill/statements.ts';
import { formatVex, readVex, type VexStatement } from '../src/index.ts';

/* No package of npm or Debian carries a schema of OpenVEX: this one is what its text asks for, as we read it. */
const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'openvex.schema.json'), 'utf8'));
const validate = new Ajv({ strict: false }).compile(schema);

const product = { type: 'generic', name: 'nodeos', version: 'v1.14.0' };
const said: VexStatement = {
  vulnerability: 'CVE-2026-0001',
  aliases: ['GHSA-aaaa-bbbb-cccc'],
  products: [{ purl: product, subcomponents: [{ type: 'deb', namespace: 'debian', name: 'libc6' }] }],
  status: 'under_investigation',
};
const statements: readonly VexStatement[] = [
  said,
  { ...said, status: 'fixed' },
  { ...said, status: 'affected', action: 'take v1.14.1' },
  { ...said, status: 'not_affected', justification: 'component_not_present' },
  { ...said, status: 'not_affected', impact: 'nobody calls it' },
  { ...said, status: 'not_affected', justification: 'component_not_present', impact: 'nobody calls it' },
];
const about = {
  id: 'urn:nodecore:vex:v1.14.0',
  author: 'nodecore',
  timestamp: '2026-11-22T00:00:00Z',
  version: 1,
};
const whole = { ...about, version: 2, statements };

test('what a release says of vulnerabilities, and whatever else may be said, is OpenVEX, and is read as it was', (t) => {
  for (const document of [releaseStatements(product, 'v1.14.0', about.timestamp), whole]) {
    const text = formatVex(document);
    t.true(validate(JSON.parse(text)), JSON.stringify(validate.errors));
    t.deepEqual(readVex(text), document);
  }
});

/** By what is wrong: how a document with a whole statement becomes so. */
const wrong: Readonly<Record<string, (document: any, statement: any) => void>> = {
  'another context': (document) => (document['@context'] = 'https://openvex.dev/ns'),
  'no name': (document) => delete document['@id'],
  'no author': (document) => delete document.author,
  'no time': (document) => delete document.timestamp,
  'a time that is none': (document) => (document.timestamp = 'yesterday'),
  'no version': (document) => delete document.version,
  'a version before the first': (document) => (document.version = 0),
  'no statement': (document) => (document.statements = []),
  'no statements': (document) => delete document.statements,
  'no vulnerability': (_document, statement) => delete statement.vulnerability,
  'a vulnerability without a name': (_document, statement) => delete statement.vulnerability.name,
  'no product': (_document, statement) => (statement.products = []),
  'a product without a name': (_document, statement) => delete statement.products[0]['@id'],
  'no status': (_document, statement) => delete statement.status,
  'another status': (_document, statement) => (statement.status = 'fine'),
  'another justification': (_document, statement) => (statement.justification = 'because'),
  'no reason': (_document, statement) => delete statement.justification,
  'a note in place of a reason': (_document, statement) => {
    delete statement.justification;
    statement.status_notes = 'nobody calls it';
  },
  'nothing to do': (_document, statement) => (statement.status = 'affected'),
};

for (const [what, change] of Object.entries(wrong))
  test(`refused as no OpenVEX, by the schema and when it is read: ${what}`, (t) => {
    const document = JSON.parse(formatVex({ ...about, statements: [statements[3]!] }));
    t.true(validate(document));
    change(document, document.statements[0]);
    t.false(validate(document));
    t.throws(() => readVex(JSON.stringify(document)), { code: 'ERR_SBOM_INVALID' });
  });
