import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv, type ValidateFunction } from 'ajv';
import test from 'ava';

import { cycloneDxReport, formatCycloneDx, formatPurl, genericComponent, scan } from '../src/index.ts';
import { components, product, sampleDatabase } from './sample.ts';

/** The schemas of CycloneDX, as its own library carries them. */
const place = join(import.meta.dirname, '../node_modules/@cyclonedx/cyclonedx-library/res/schema');
const schema = (name: string): object =>
  JSON.parse(readFileSync(join(place, `${name}.SNAPSHOT.schema.json`), 'utf8'));

const validator = (): ValidateFunction => {
  // What formats are is said by others.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
    const file = `${name}.SNAPSHOT.schema.json`;
    ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${file}` });
  }
  return ajv.compile(schema('bom-1.6'));
};

test('the report is one of CycloneDX 1.6, by its own schema', async (t) => {
  const validate = validator();
  const database = await sampleDatabase(t);
  const vex = {
    id: 'urn:x',
    author: 'us',
    timestamp: '2026-11-22T00:00:00Z',
    version: 1,
    statements: ['CVE-2026-0001', 'CVE-2026-0003'].map((vulnerability, index) => ({
      vulnerability,
      aliases: [],
      products: [{ purl: product.purl, subcomponents: [] }],
      status: index === 0 ? ('fixed' as const) : ('not_affected' as const),
      justification: 'component_not_present' as const,
    })),
  };
  const report = JSON.parse(cycloneDxReport(await scan(product, components, { database, vex })));
  t.true(validate(report), JSON.stringify(validate.errors));
  t.is(report.vulnerabilities.length, 4);
  t.false(validate({ ...report, components: [{ name: 'x' }] }));
});

const refs = (some: typeof components): readonly string[] => some.map(({ purl }) => formatPurl(purl));

test('a bill is one of CycloneDX 1.6: the product depends on its parts, and each on its components, of which none stands twice', (t) => {
  const validate = validator();
  const parts = ['base', 'os/tools'].map((name) => genericComponent(name, 'v1'));
  const [first] = components;
  const bill = {
    name: 'image',
    namespace: 'https://factory.example/cyclonedx/x',
    created: '2026-11-22T00:00:00Z',
    product,
    contents: [
      { part: parts[0]!, components },
      { part: parts[1]!, components: [first!, first!] },
    ],
  };
  const text = formatCycloneDx(bill);
  const document = JSON.parse(text);
  t.true(validate(document), JSON.stringify(validate.errors));
  t.deepEqual(
    document.components.map((each: { readonly 'bom-ref': string }) => each['bom-ref']).toSorted(),
    refs([...parts, ...components]).toSorted(),
  );
  t.deepEqual(document.dependencies, [
    { ref: formatPurl(product.purl), dependsOn: refs(parts) },
    { ref: formatPurl(parts[0]!.purl), dependsOn: refs(components) },
    { ref: formatPurl(parts[1]!.purl), dependsOn: refs([first!]) },
  ]);
  t.is(formatCycloneDx(bill), text);
  t.not(
    JSON.parse(formatCycloneDx({ ...bill, namespace: 'https://other/x' })).serialNumber,
    document.serialNumber,
  );
});
