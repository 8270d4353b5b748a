import { codeOf } from '@nodecore/sys';
import { type Clock, within } from '@nodecore/waiting';

import { execute, progressOf, type Step } from './execute.ts';
import type { Result, Work } from '../work.ts';

/** A disk that works does most steps in less; what takes longer is looked into. */
const slowMs = 20_000;

export type SlowStepOptions = {
  readonly clock: Clock;
  /** Called with the reason, each time the disk was asked in vain. */
  readonly tell: (reason: string) => void;
};

/**
 * Carries out one action, which can not be interrupted. While it takes long, its disk is asked now and then, so that a disk
 * that hangs is named while it hangs.
 */
export async function executePatiently(work: Work, step: Step, options: SlowStepOptions): Promise<Result> {
  const running = Promise.resolve(execute(work, step));
  const disk = ('candidate' in step ? step.candidate.disk : work.found?.disk)?.devPath;
  if (disk === undefined) return running;
  const progress = progressOf(work, step) ?? step.kind;
  for (;;) {
    const ended = await within(options.clock, slowMs, running);
    if (ended !== undefined) return ended.value;
    const silence = work.reader.recognised(disk).then(
      () => false,
      (error: unknown) => codeOf(error) === 'ERR_VOLUME_NO_ANSWER',
    );
    const isSilent = await Promise.race([running.then(() => false), silence]);
    if (isSilent) options.tell(`${disk} does not answer; ${progress} goes on when it does`);
  }
}
