/**
 * Writes the table of the types of resources in docs/resources.md: `node --conditions=source src/resources/generate.ts [--check]`. With
 * --check nothing is written, and the exit code is 1 when something would be.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { definitions } from '../features.ts';
import { withTypeTable } from './type-table.ts';

const path = new URL('../../../../../docs/resources.md', import.meta.url);
const page = await readFile(path, 'utf8');
const made = withTypeTable(page, definitions);
if (made !== page) {
  if (process.argv.includes('--check')) {
    process.stderr.write('docs/resources.md is not what the definitions say: npm run generate\n');
    process.exitCode = 1;
  } else {
    await writeFile(path, made);
    process.stdout.write('wrote docs/resources.md\n');
  }
}
