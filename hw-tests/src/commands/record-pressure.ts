/**
 * `node --conditions=source hw-tests/src/commands/record-pressure.ts FILE`: runs the pressure scene of the benches in the
 * standard machine and keeps what it recorded.
 */
import { writeFile } from 'node:fs/promises';

import { RigMachine } from '../rig-machine.ts';
import { standardMachine } from '../standard-machine.ts';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: record-pressure.ts FILE');
  process.exit(2);
}
await using machine = await RigMachine.boot(standardMachine);
const { code, stdout, stderr } = await machine.run([
  'node',
  '--conditions=source',
  'bench/src/pressure/scene.ts',
]);
if (code !== 0) throw new Error(`the scene ended with ${code}: ${stderr.toString()}`);
await writeFile(file, stdout);
await machine.powerOff();
