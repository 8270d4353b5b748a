import { codeOf } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { MachineStatus } from '../lifecycle/machine-status.ts';
import type { Log } from '../log.ts';

/** As long a new release has to be ready without a break before it counts as good. */
const provenMs = 60_000;
/** As long it may take to get there, from the start of the machine: an agent that begins anew and anew has no more time. */
const patienceMs = 15 * 60_000;
/** As long an agent that has just begun may take: it may be another one of a machine that works. */
const agentPatienceMs = 2 * 60_000;
const lookMs = 5000;

export type AssessmentParts = {
  readonly log: Log;
  readonly clock: Pick<Clock, 'sleep'>;
  /** How long the machine has run. The time of day is set in the first minutes of a boot, by hours where the battery is empty. */
  readonly uptimeMs: () => number;
  /** The newest; undefined before the first. */
  readonly status: () => MachineStatus | undefined;
  /** Whether the API answers. */
  readonly answers: () => Promise<boolean>;
  /** The release has proven itself: the boot loader counts its starts no more. */
  readonly bless: () => Promise<void>;
  /** Gives the boot up, with the reason. */
  readonly giveUp: (reason: string) => Promise<void>;
};

/**
 * Watches the first boots of a new release: blesses it when it was ready for a minute, gives it up when it is not within a quarter of
 * an hour of the machine's start. Resolves with the one or the other, or when the signal fires.
 */
export async function assess(parts: AssessmentParts, signal: AbortSignal): Promise<void> {
  const { log, clock, uptimeMs, status, answers, bless, giveUp } = parts;
  const deadline = Math.max(patienceMs, uptimeMs() + agentPatienceMs);
  let since: number | undefined;
  while (!signal.aborted) {
    const now = uptimeMs();
    since = isWorking(status()) ? (since ?? now) : undefined;
    if (since !== undefined && now - since >= provenMs) {
      // Once, at the end: each answer is a handshake that the server takes for a failed one.
      if (!(await answers())) since = undefined;
      else {
        try {
          return await bless();
        } catch (error) {
          log.error({ code: codeOf(error), err: error }, 'a release that is good can not be marked so');
        }
      }
    }
    if (now >= deadline && since === undefined) return await giveUp(reasonOf(status()));
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
  }
}

/** A machine without a configuration has nothing more to be ready for than to be asked. */
function isWorking(status: MachineStatus | undefined): boolean {
  return status?.status.ready === true && (status.stage === 'running' || status.stage === 'maintenance');
}

function reasonOf(status: MachineStatus | undefined): string {
  const lacks = (status?.status.unmetConditions ?? []).map(({ name, reason }) => `${name}: ${reason}`);
  const what = lacks.length === 0 ? 'the API does not answer' : lacks.join('; ');
  return `not ready within 15 minutes (${status?.stage ?? 'booting'}): ${what}`;
}
