import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout this module belongs to. Machines see it at the same path. */
export const checkout: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** What scripts/setup and the rig keep between runs; never part of the repository. */
export const cacheDirectory: string = join(checkout, '.cache');

/** What the rig itself keeps there. */
export const rigCache: string = join(cacheDirectory, 'rig');

/** The files that become part of a machine: its first process and the runner's source. */
export const guestDirectory: string = join(checkout, 'hw-tests', 'src', 'guest');
