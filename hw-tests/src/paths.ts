import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { RigError } from './errors.ts';

/** The checkout this module belongs to. Machines see it at the same path. */
export const checkout: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** What scripts/setup and the rig keep between runs; never part of the repository. */
export const cacheDirectory: string = join(checkout, '.cache');

/** The files that become part of a machine: its first process and the runner's source. */
export const guestDirectory: string = join(checkout, 'hw-tests', 'src', 'guest');

/** Programs of the host. */
export const hostDirectory: string = join(checkout, 'hw-tests', 'src', 'host');

/** The first of `candidates` that exists. What is missing is the set-up's business, and the error says so. */
export function requireFile(machine: string, ...candidates: readonly [string, ...string[]]): string {
  const found = candidates.find((path) => {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found !== undefined) return found;
  throw new RigError('ERR_RIG_NOT_SET_UP', machine, `${candidates[0]} is missing: run scripts/setup`);
}
