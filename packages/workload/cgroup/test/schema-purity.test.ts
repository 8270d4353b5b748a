import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import test from 'ava';

const schema = new URL('../src/schema/index.ts', import.meta.url).href;

test('tables load no native code', async (t) => {
  const script = `
    const { presetSchema } = await import(${JSON.stringify(schema)});
    presetSchema('psi');
    const { sharedObjects } = process.report.getReport();
    console.log(JSON.stringify(sharedObjects.filter((path) => path.endsWith('.node'))));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=source',
    '--input-type=module',
    '--eval',
    script,
  ]);
  t.deepEqual(JSON.parse(stdout), []);
});
