import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { compiledProgram } from './compiled-program.ts';
import { hostDirectory } from './paths.ts';

let measured: Promise<number> | undefined;

/** The rate of this computer's time stamp counter in kHz; undefined on one that has none. */
export async function tickRateKhz(): Promise<number | undefined> {
  if (process.arch !== 'x64') return undefined;
  measured ??= measure();
  return await measured;
}

async function measure(): Promise<number> {
  const program = await compiledProgram(join(hostDirectory, 'tick-rate.c'));
  return Number((await promisify(execFile)(program)).stdout);
}
