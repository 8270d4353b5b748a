import { accessSync, constants } from 'node:fs';

import { MachineError } from './errors.ts';

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
  throw new MachineError('ERR_MACHINE_NOT_SET_UP', machine, `${candidates[0]} is missing: run scripts/setup`);
}
