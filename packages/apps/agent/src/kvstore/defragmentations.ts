import type { Kvstore as KvstoreSettings } from '@nodecore/config';
import { nextRunMs, previewDefragmentation, status, untilRunDue } from '@nodecore/kvstore';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { DefragmentationOutcome } from './defragmentation-plan.ts';
import { defragmentOwn } from './defragmentation.ts';
import { kvstoreDefragmentationSpec } from './kvstore-spec.ts';
import type { Member } from './member.ts';

export type DefragmentationsParts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly member: Member;
  /** As in {@link DefragmentationOptions}. */
  readonly readPressure: () => Promise<number | undefined>;
  /** Tells what is planned and how it went; undefined: nothing is. */
  readonly publish: (spec: Json | undefined) => void;
};

const retryMs = 30_000;
/** Whose turn it is, is looked at this often. */
const turnMs = 5_000;
/** A member whose node does nothing about it is waited for no longer than that. */
const patienceMs = 3_600_000;

/**
 * Defragments this node's own member as often as the configuration says, when that pays. All nodes of a cluster come to it at
 * the same time, and take their turns: the leader last.
 */
export class Defragmentations {
  readonly #parts: DefragmentationsParts;
  #intervalMs: number | undefined;
  #last: DefragmentationOutcome | undefined;
  #change = new AbortController();

  constructor(parts: DefragmentationsParts) {
    this.#parts = parts;
  }

  /** One that has begun goes on: etcd can not interrupt it. */
  configure(settings: KvstoreSettings | undefined): void {
    const intervalMs = settings?.defragmentation?.intervalMs;
    if (intervalMs === this.#intervalMs) return;
    this.#intervalMs = intervalMs;
    this.#change.abort();
  }

  /** Does them until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      this.#change = new AbortController();
      const ending = AbortSignal.any([signal, this.#change.signal]);
      try {
        await this.#follow(ending);
      } catch (error) {
        if (!ending.aborted)
          log.warn({ code: codeOf(error), err: error }, 'defragmentations are not planned');
      }
      await clock.sleep(retryMs, ending).catch(() => {}); // the loop asks the signal
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, publish, log } = this.#parts;
    const intervalMs = this.#intervalMs;
    if (intervalMs === undefined) {
      this.#last = undefined;
      publish(undefined);
      return;
    }
    for (;;) {
      const clusterId = await this.#clusterId(signal);
      const nextMs = nextRunMs(clusterId, intervalMs, clock.now());
      publish(kvstoreDefragmentationSpec({ intervalMs, nextMs, ...(this.#last && { last: this.#last }) }));
      await untilRunDue({ clusterId, intervalMs, signal }, clock);
      this.#last = await this.#once(signal);
      const { result, message, code, stallMs } = this.#last;
      const level = result === 'failed' ? 'warn' : 'info';
      log[level]({ result, reason: message, code, stallMs }, 'a defragmentation of the kvstore was due');
    }
  }

  /** Of the cluster that the member is in, as soon as it runs. */
  async #clusterId(signal: AbortSignal): Promise<bigint> {
    for await (const { phase, status: known } of this.#parts.member.follow(signal))
      if (phase === 'running' && known !== undefined) return known.clusterId;
    signal.throwIfAborted();
    throw new TypeError('the member ended without an end');
  }

  async #once(signal: AbortSignal): Promise<DefragmentationOutcome> {
    const { clock } = this.#parts;
    const startedMs = clock.now();
    for (let waitedMs = 0; ; waitedMs += turnMs) {
      try {
        if (waitedMs >= patienceMs || (await this.#isOurTurn(signal)))
          return { startedMs, ...(await this.#defragment(signal)) };
      } catch (error) {
        signal.throwIfAborted();
        const code = codeOf(error);
        const message = error instanceof Error ? error.message : String(error);
        if (code !== 'ERR_KVSTORE_LOCKED' || waitedMs >= patienceMs)
          return { startedMs, result: 'failed', message, ...(code !== undefined && { code }) };
      }
      await clock.sleep(turnMs, signal);
    }
  }

  /** Whether no other member that gains from it comes before ours. */
  async #isOurTurn(signal: AbortSignal): Promise<boolean> {
    const { kvstore } = this.#parts.member;
    const { memberId } = await status(kvstore, kvstore.endpoints[0] ?? '', { signal });
    const { steps } = await previewDefragmentation(kvstore, { signal });
    return steps[0]?.member.id === memberId || !steps.some(({ member }) => member.id === memberId);
  }

  async #defragment(signal: AbortSignal): Promise<Omit<DefragmentationOutcome, 'startedMs'>> {
    const { member, readPressure } = this.#parts;
    const wishes = { dryRun: false, force: false, readPressure, signal };
    let outcome: Omit<DefragmentationOutcome, 'startedMs'> = { result: 'skipped' };
    for await (const event of defragmentOwn(member, wishes)) {
      if (event.state === 'skipped') outcome = { result: 'skipped', message: event.message };
      if (event.state !== 'done') continue;
      const { beforeBytes, afterBytes, stall } = event.result;
      outcome = { result: 'done', beforeBytes, afterBytes, stallMs: stall.tookMs };
    }
    return outcome;
  }
}
