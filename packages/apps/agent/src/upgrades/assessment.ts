import { codeOf } from '@nodecore/sys';

import { isUp, type MachineStatus } from '../lifecycle/machine-status.ts';
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
  /** How long the machine has run. The time of day is set in the first minutes of a boot, by hours where the battery is empty. */
  readonly uptimeMs: () => number;
  /** Whether the API answers. */
  readonly answers: () => Promise<boolean>;
  /** The release has proven itself: the boot loader counts its starts no more. False when that is not for now. */
  readonly bless: () => Promise<boolean>;
  /** Gives the boot up, with the reason. */
  readonly giveUp: (reason: string) => Promise<void>;
};

/** What becomes of a release that was on trial. */
export type Verdict = 'good' | 'given-up';

/**
 * The first boots of a new release: it is blessed when it was ready for a minute, and given up when it is not within a quarter of an
 * hour of the machine's start.
 */
export class Assessment {
  readonly #parts: AssessmentParts;
  readonly #deadline: number;
  /** Ready without a break, as far as looks have seen it. */
  #since: number | undefined;

  /** Made when the agent begins to look. */
  constructor(parts: AssessmentParts) {
    const { uptimeMs } = parts;
    const deadline = Math.max(patienceMs, uptimeMs() + agentPatienceMs);
    this.#parts = parts;
    this.#deadline = deadline;
  }

  /**
   * @param status the newest of the machine; undefined before the first.
   * @returns milliseconds until the next look, or what was decided.
   */
  async look(status: MachineStatus | undefined): Promise<number | Verdict> {
    const { uptimeMs, answers, giveUp } = this.#parts;
    const now = uptimeMs();
    this.#since = isWorking(status) ? (this.#since ?? now) : undefined;
    if (this.#since !== undefined && now - this.#since >= provenMs) {
      // Once, at the end: each answer is a handshake that the server takes for a failed one.
      if (!(await answers())) this.#since = undefined;
      else if (await this.#blessed()) return 'good';
    }
    if (now < this.#deadline || this.#since !== undefined) return lookMs;
    await giveUp(reasonOf(status));
    return 'given-up';
  }

  async #blessed(): Promise<boolean> {
    const { log, bless } = this.#parts;
    try {
      return await bless();
    } catch (error) {
      log.error({ code: codeOf(error), err: error }, 'a release that is good can not be marked so');
      return false;
    }
  }
}

/**
 * A machine without a configuration has nothing more to be ready for than to be asked. A kvstore that nobody has begun can't be asked
 * for: the release before had none, either.
 */
function isWorking(status: MachineStatus | undefined): boolean {
  return (
    status !== undefined && isUp(status) && (status.stage === 'running' || status.stage === 'maintenance')
  );
}

function reasonOf(status: MachineStatus | undefined): string {
  const lacks = (status?.status.unmetConditions ?? []).map(({ name, reason }) => `${name}: ${reason}`);
  const what = lacks.length === 0 ? 'the API does not answer' : lacks.join('; ');
  return `not ready within 15 minutes (${status?.stage ?? 'booting'}): ${what}`;
}
