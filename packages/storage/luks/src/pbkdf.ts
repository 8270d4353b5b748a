import { availableParallelism, totalmem } from 'node:os';

import { CRYPT_PBKDF_NO_BENCHMARK } from './constants.ts';
import { unsupported } from './errors.ts';
import type { PbkdfStruct } from './ffi.ts';

/** How a passphrase becomes a key. What is left out is chosen; see {@link chooseCosts}. */
export type Pbkdf = {
  readonly type: 'argon2id' | 'argon2i' | 'pbkdf2';
  /** Passes over the memory, or iterations of pbkdf2; measured when it is not given. */
  readonly iterations?: number;
  /** How long an unlock may take on this machine, in milliseconds; 2000 by default. */
  readonly timeMs?: number;
  /** Memory that an unlock needs. */
  readonly memoryKib?: number;
  /** Threads of an unlock, at most 4. */
  readonly parallel?: number;
  /** False takes the costs as given, without measuring; true by default unless `iterations` is given. */
  readonly benchmark?: boolean;
};

const largestMemoryKib = 1 << 20;
const smallestMemoryKib = 32;
const smallestIterations = { argon2id: 4, argon2i: 4, pbkdf2: 1000 } as const;

/**
 * The costs that are used. By default: argon2id, two seconds on this machine, at most four threads but one core left to the
 * event loop, and memory of 1 GiB but never more than a quarter of what this process may have, so that an unlock neither
 * stalls a small node nor pushes it out of memory.
 */
export function chooseCosts(device: string, pbkdf: Pbkdf = { type: 'argon2id' }): PbkdfStruct {
  const { type, iterations = 0, timeMs = 2000 } = pbkdf;
  const benchmark = pbkdf.benchmark ?? iterations === 0;
  const memoryHard = type !== 'pbkdf2';
  const memoryKib = pbkdf.memoryKib ?? Math.min(largestMemoryKib, quarterOfMemoryKib());
  const parallel = pbkdf.parallel ?? threads();
  if (!Object.hasOwn(smallestIterations, type)) throw unsupported(device, `key derivation ${type as string}`);
  if (!benchmark && iterations < smallestIterations[type]) {
    throw unsupported(device, `${type} needs at least ${smallestIterations[type]} iterations`);
  }
  if (memoryHard && (memoryKib < smallestMemoryKib || memoryKib > 4 * largestMemoryKib)) {
    throw unsupported(device, `${type} with ${memoryKib} KiB of memory`);
  }
  if (memoryHard && (parallel < 1 || parallel > 4))
    throw unsupported(device, `${type} with ${parallel} threads`);
  return {
    type,
    hash: memoryHard ? null : 'sha256',
    time_ms: timeMs,
    iterations: benchmark ? 0 : iterations,
    max_memory_kb: memoryHard ? Math.floor(memoryKib) : 0,
    parallel_threads: memoryHard ? parallel : 0,
    flags: benchmark ? 0 : CRYPT_PBKDF_NO_BENCHMARK,
  };
}

/** A loop that shares every core with a key derivation waits a time slice for each turn. */
function threads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}

function quarterOfMemoryKib(): number {
  // 0 or a number beyond the machine's memory: no limit of a cgroup.
  const constrained = process.constrainedMemory() || Infinity;
  return Math.min(totalmem(), constrained) / 4 / 1024;
}
