import type { Disk, EmptinessReceipt } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';
import { within } from '@nodecore/waiting';

import type { Workshop } from '../work.ts';

/** A disk, or a partition on it. */
export type Place = { readonly disk: Disk; readonly devPath: string };

export type EmptinessAnswer = {
  readonly empty: boolean;
  /** Everything that speaks against it. */
  readonly reasons: readonly string[];
  /** Absent when nothing was read. */
  readonly receipt?: EmptinessReceipt;
};

/** Wiping a disk takes hours; a question waits no longer than this, and is answered that the disk is busy. */
const turnMs = 20_000;

/**
 * Proves that a place is empty, or says what speaks against it; nothing is changed. It waits for its turn on the disk, because
 * a proof has it alone: two at once would each find that the other one uses it.
 */
export async function proveEmpty(
  { disk, devPath }: Place,
  { reader, locks, clock }: Pick<Workshop, 'reader' | 'locks' | 'clock'>,
  signal: AbortSignal,
): Promise<EmptinessAnswer> {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const given = new AbortController();
  const proving = locks.run(
    [disk.devPath],
    () => {
      begin();
      return reader.proof(devPath);
    },
    AbortSignal.any([signal, given.signal]),
  );
  if ((await within(clock, turnMs, Promise.race([begun, proving]))) === undefined) {
    given.abort(); // its turn is nobody's
    proving.catch(() => {});
    return { empty: false, reasons: [`a volume is at work on ${disk.devPath}: try again later`] };
  }
  try {
    const proof = await proving;
    return { reasons: [], ...proof };
  } catch (error) {
    if (codeOf(error) !== 'ERR_VOLUME_NO_ANSWER') throw error;
    return { empty: false, reasons: [`${devPath} does not answer`] };
  }
}
