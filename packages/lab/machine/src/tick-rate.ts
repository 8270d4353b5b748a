import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { compiledProgram } from './compiled-program.ts';

/** The program that measures; beside the sources, also in a package that was built. */
export const tickRateSource: string = fileURLToPath(new URL('../src/host/tick-rate.c', import.meta.url));

let measured: Promise<number> | undefined;

/**
 * The rate of this computer's time stamp counter in kHz; undefined on one that has none.
 * @param cache a directory for the program that measures it
 */
export async function tickRateKhz(cache: string): Promise<number | undefined> {
  if (process.arch !== 'x64') return undefined;
  measured ??= measure(cache);
  return await measured;
}

async function measure(cache: string): Promise<number> {
  const program = await compiledProgram(tickRateSource, cache);
  return Number((await promisify(execFile)(program)).stdout);
}
