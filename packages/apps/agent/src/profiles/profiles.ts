import { getHeapStatistics } from 'node:v8';

import { availableMemoryKib } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import { type Taken, takeCpuProfile } from './cpu-profile.ts';
import { ProfileError } from './errors.ts';
import { takeHeapSnapshot } from './heap-snapshot.ts';

export type ProfileKind = 'cpu' | 'heap';

export type ProfilesOptions = {
  readonly clock: Pick<Clock, 'sleep'>;
  /** What the agent's heap takes, in bytes. */
  readonly heapBytes?: () => number;
  /** What the node has left for it. */
  readonly availableKib?: () => Promise<number>;
};

/** Measured: a snapshot takes 4 to 13 times the heap that it is of, the more the smaller its objects are. */
const memoryPerHeap = 14;
/**
 * Measured: 50 ms for a MiB of small objects, on a slow processor four times as long. PID 1 ends an agent that is silent for 60 s, with a
 * watchdog of 30 s for 20 s.
 */
const largestHeapBytes = 96 << 20;
/** An answer of gRPC. */
const pieceBytes = 256 << 10;
const [shortestMs, longestMs] = [100, 60_000];

/** What the agent finds out about itself: one thing at a time. */
export class Profiles {
  /** So many were begun. */
  readonly counts: Record<ProfileKind, number> = { cpu: 0, heap: 0 };
  /** Seconds in which the agent did nothing else. */
  pauseSeconds = 0;
  #running: ProfileKind | undefined;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #heapBytes: () => number;
  readonly #availableKib: () => Promise<number>;

  constructor({
    clock,
    heapBytes = () => getHeapStatistics().used_heap_size,
    availableKib = () => availableMemoryKib(),
  }: ProfilesOptions) {
    this.#clock = clock;
    this.#heapBytes = heapBytes;
    this.#availableKib = availableKib;
  }

  /** What is being taken. */
  get running(): ProfileKind | undefined {
    return this.#running;
  }

  /**
   * A `.cpuprofile`, in pieces, after `durationMs`.
   *
   * @throws {ProfileError} `ERR_PROFILE_BUSY`, `ERR_PROFILE_REQUEST`
   */
  async *cpu(durationMs: number, signal: AbortSignal): AsyncGenerator<Taken, void, undefined> {
    if (durationMs < shortestMs || durationMs > longestMs)
      throw new ProfileError('ERR_PROFILE_REQUEST', `duration_millis: ${shortestMs} to ${longestMs}`);
    using _turn = this.#begin('cpu');
    const taken = await takeCpuProfile(durationMs, { clock: this.#clock, signal });
    this.pauseSeconds += taken.pauseMs / 1000;
    yield* pieces(taken);
  }

  /**
   * A `.heapsnapshot`, in pieces.
   *
   * @throws {ProfileError} `ERR_PROFILE_BUSY`, `ERR_PROFILE_MEMORY`, `ERR_PROFILE_SIZE`
   */
  async *heap(): AsyncGenerator<Taken, void, undefined> {
    using _turn = this.#begin('heap');
    await this.#assertRoom();
    let before = 0;
    for await (const taken of takeHeapSnapshot()) {
      this.pauseSeconds += (taken.pauseMs - before) / 1000;
      before = taken.pauseMs;
      yield* pieces(taken);
    }
  }

  #begin(kind: ProfileKind): Disposable {
    if (this.#running !== undefined)
      throw new ProfileError('ERR_PROFILE_BUSY', `a ${words[this.#running]} is being taken already`);
    this.#running = kind;
    this.counts[kind] += 1;
    return { [Symbol.dispose]: () => (this.#running = undefined) };
  }

  /** The kernel would hand the memory out, and kill somebody when it is used. */
  async #assertRoom(): Promise<void> {
    const heapBytes = this.#heapBytes();
    if (heapBytes > largestHeapBytes)
      throw new ProfileError(
        'ERR_PROFILE_SIZE',
        `the heap has ${heapBytes >> 20} MiB: the agent would be silent for too long; ${largestHeapBytes >> 20} MiB at most`,
      );
    const neededKib = Math.ceil((heapBytes * memoryPerHeap) / 1024);
    const availableKib = await this.#availableKib();
    if (neededKib > availableKib)
      throw new ProfileError(
        'ERR_PROFILE_MEMORY',
        `a heap snapshot may need ${neededKib >> 10} MiB of memory, ${availableKib >> 10} MiB are available`,
      );
  }
}

const words: Readonly<Record<ProfileKind, string>> = { cpu: 'CPU profile', heap: 'heap snapshot' };

function* pieces({ bytes, pauseMs }: Taken): Generator<Taken, void, undefined> {
  for (let from = 0; from < bytes.length; from += pieceBytes)
    yield { bytes: bytes.subarray(from, from + pieceBytes), pauseMs };
}
