/**
 * Runs in a machine whose device is recorded: does the steps of rotation-steps.ts to it, with a mark before and after
 * each. The ring of the key server comes on standard input; the server runs in this process. The header as it is now is
 * the backup that is restored.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

import * as luks from '@nodecore/luks';

import { markCommand, Recorder } from '../../src/log-writes/index.ts';
import { endpointOf, keyServer } from '../key-server.ts';
import { measureForTest, rotationContext } from '../rotation-context.ts';
import { operate } from '../rotation-operation.ts';
import { marksOf, rotationSteps } from '../rotation-steps.ts';

const mark = async (name: string): Promise<void> => {
  await promisify(execFile)('sh', ['-c', markCommand, 'sh', name]);
};

const tcti = 'device:/dev/tpmrm0';
const context = rotationContext(tcti);
const device = Recorder.path;
await measureForTest(tcti);
const ring = '/tmp/ring';
await writeFile(ring, await buffer(process.stdin), { mode: 0o600 });
await using server = await keyServer(ring);
const { bytes: backup } = await luks.header.backup(device);
for (const step of rotationSteps(endpointOf(server))) {
  const { begin, end } = marksOf(step);
  await mark(begin);
  await operate(device, step, { context, backup });
  await mark(end);
}
