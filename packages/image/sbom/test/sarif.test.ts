import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import test from 'ava';

import { sarifReport, scan } from '../src/index.ts';
import { components, product, sampleDatabase } from './sample.ts';

/** The schema of OASIS, as a package for tests carries it. */
const place = join(
  import.meta.dirname,
  '../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);

test('the report is one of SARIF 2.1.0, by its own schema', async (t) => {
  // What formats are is said by others.
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
  // Draft 4 of JSON Schema has another word for the name of a schema; what this one uses besides is the same today.
  const { id: $id, $schema: _, ...schema } = JSON.parse(readFileSync(place, 'utf8'));
  const validate = ajv.compile({ $id, ...schema });
  const database = await sampleDatabase(t);
  const vex = {
    id: 'urn:x',
    author: 'us',
    timestamp: '2026-11-22T00:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: 'CVE-2026-0003',
        aliases: [],
        products: [{ purl: product.purl, subcomponents: [] }],
        status: 'not_affected' as const,
        justification: 'component_not_present' as const,
      },
    ],
  };
  const report = JSON.parse(sarifReport(await scan(product, components, { database, vex }), '0.1.0'));
  t.true(validate(report), JSON.stringify(validate.errors));
  const [{ results, tool }] = report.runs;
  t.true(results.length > 1 && tool.driver.rules.length > 1);
  t.true(results.some(({ suppressions }: { suppressions?: unknown }) => suppressions !== undefined));
  t.false(validate({ ...report, runs: [{ results }] }));
});
