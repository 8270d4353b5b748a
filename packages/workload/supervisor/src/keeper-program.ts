import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { SupervisorError } from './errors.ts';

/** Names the program in an image, where it lies beside the agent. */
const keeperVariable = 'NODECORE_KEEPER';

/**
 * Where the program is that keeps services (native/keeper): what `NODECORE_KEEPER` says, else what scripts/setup has compiled.
 *
 * @throws {SupervisorError} `ERR_SERVICE_PROGRAM` when it is not there.
 */
export function keeperProgram(): string {
  const named = process.env[keeperVariable];
  const path = named ?? fileURLToPath(new URL('../../../../native/build/keeper', import.meta.url));
  if (existsSync(path)) return path;
  const next = named === undefined ? 'run scripts/setup' : `mend ${keeperVariable}`;
  throw new SupervisorError('ERR_SERVICE_PROGRAM', `${path}, which keeps services, is not there: ${next}`);
}
