import type { Pbkdf } from '@nodecore/luks';

const iterations = 4;
const memoryKib = 64 << 10;
const parallel = 2;

/** A key derivation of some hundred milliseconds: memory-hard as a real one, fixed so that both sides do the same. */
export const costs: Pbkdf = { type: 'argon2id', iterations, memoryKib, parallel };

/** The same for the cryptsetup program. */
export const costArguments: readonly string[] = [
  '--pbkdf=argon2id',
  `--pbkdf-force-iterations=${iterations}`,
  `--pbkdf-memory=${memoryKib}`,
  `--pbkdf-parallel=${parallel}`,
];
