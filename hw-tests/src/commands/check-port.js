/**
 * The first thing that `npm start` does, with the options of `npm start`: a port that is taken is said before the set-up
 * downloads and compiles. Plain JavaScript without a dependency. Where a node was started before, start.ts knows whether
 * the port is its own.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { requireFreePort } from '../node/free-port.js';

const options = { port: { type: 'string' }, state: { type: 'string' }, host: { type: 'boolean' } };
// Not strict: what can't be used is start.ts's to say.
const { values } = parseArgs({ options, strict: false });
const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const usual = join(checkout, '.cache', values.host === true ? 'host-node' : 'clusters');
const directory = typeof values.state === 'string' ? values.state : usual;
const record = join(directory, values.host === true ? 'node.json' : join('virtual-node', 'plan.json'));
const port = Number(values.port ?? 50_000);
if (!existsSync(record) && Number.isInteger(port) && port > 0 && port < 65_536) {
  try {
    await requireFreePort(port);
  } catch (error) {
    console.error(`npm start: ${error.message}`);
    process.exitCode = 1;
  }
}
