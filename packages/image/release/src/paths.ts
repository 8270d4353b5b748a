import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that a release is built from. */
export const checkout: string = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

/** What `scripts/setup` unpacked, and what was built before. */
export const cacheDirectory: string = join(checkout, '.cache');
