import { availableParallelism } from 'node:os';

import type { Pbkdf } from '@nodecore/luks';

const iterations = 4;
const memoryKib = 32 << 10;
/** As our default has it: one core stays with the event loop. */
const parallel = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Memory-hard as a real key derivation, but short enough that what surrounds it is seen; fixed, so that both do the same. */
export const costs: Pbkdf = { type: 'argon2id', iterations, memoryKib, parallel };

/** The same for the cryptsetup program. */
export const costArguments: readonly string[] = [
  '--pbkdf=argon2id',
  `--pbkdf-force-iterations=${iterations}`,
  `--pbkdf-memory=${memoryKib}`,
  `--pbkdf-parallel=${parallel}`,
];
