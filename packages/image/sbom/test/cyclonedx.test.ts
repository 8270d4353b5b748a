import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import test from 'ava';

import { cycloneDxReport, scan } from '../src/index.ts';
import { components, product, sampleDatabase } from './sample.ts';

/** The schemas of CycloneDX, as its own library carries them. */
const place = join(import.meta.dirname, '../node_modules/@cyclonedx/cyclonedx-library/res/schema');
const schema = (name: string): object =>
  JSON.parse(readFileSync(join(place, `${name}.SNAPSHOT.schema.json`), 'utf8'));

test('the report is one of CycloneDX 1.6, by its own schema', async (t) => {
  // What formats are is said by others.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
    const file = `${name}.SNAPSHOT.schema.json`;
    ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${file}` });
  }
  const validate = ajv.compile(schema('bom-1.6'));
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
