import type { Log } from '../log.ts';
import type { PressureEngine } from './engine.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';

export type ReleasesParts = { readonly engine: PressureEngine; readonly holds: Holds; readonly log: Log };

export type Due = {
  readonly now: readonly { readonly hold: Hold; readonly reason: 'calm' | 'atLatest' }[];
  /** When to ask again, in milliseconds; undefined when there is nothing to undo. */
  readonly restMs: number | undefined;
};

/** A release that failed is tried again after so long. */
const retryNs = 1_000_000_000n;

/** When what was done is undone. All times are CLOCK_MONOTONIC: a clock that is set changes nothing. */
export class Releases {
  readonly #parts: ReleasesParts;
  readonly #since = new Map<string, bigint>();
  readonly #notBefore = new Map<string, bigint>();
  /** The last release of a policy: the next one waits to see what it brings. */
  readonly #last = new Map<string, bigint>();

  constructor(parts: ReleasesParts) {
    this.#parts = parts;
  }

  /**
   * What is to be undone now: one of each policy at a time, after there was no pressure for as long as its policy wants,
   * or so late that it is undone whatever the pressure is.
   *
   * @param lastAlertNs of a policy; undefined when it had none.
   */
  due(lastAlertNs: (policy: string) => bigint | undefined): Due {
    const { engine, holds } = this.#parts;
    const nowNs = engine.nowNs();
    const due: { hold: Hold; reason: 'calm' | 'atLatest' }[] = [];
    let next: bigint | undefined;
    for (const hold of holds.all) {
      const sinceNs = this.#since.get(hold.decision) ?? nowNs;
      this.#since.set(hold.decision, sinceNs);
      const calmNs = largest(sinceNs, lastAlertNs(hold.policy), this.#last.get(hold.policy));
      const atCalmNs = calmNs + nanos(hold.release.afterMs);
      const atLatestNs = sinceNs + nanos(hold.release.atLatestMs);
      const earliestNs = atCalmNs < atLatestNs ? atCalmNs : atLatestNs;
      const atNs = largest(earliestNs, this.#notBefore.get(hold.decision));
      const isFirst = !due.some((each) => each.hold.policy === hold.policy);
      if (atNs <= nowNs && isFirst) due.push({ hold, reason: atCalmNs <= nowNs ? 'calm' : 'atLatest' });
      else if (next === undefined || atNs < next) next = atNs;
    }
    return { now: due, restMs: next === undefined ? undefined : Math.max(1, Number(next - nowNs) / 1e6) };
  }

  /** Undoes one. @returns why there was nothing to undo, or that it is to be tried again. */
  async release(hold: Hold): Promise<'gone' | 'changed' | 'failed' | undefined> {
    const { engine, holds, log } = this.#parts;
    try {
      const nothing = await holds.release(hold);
      this.#last.set(hold.policy, engine.nowNs());
      this.#since.delete(hold.decision);
      this.#notBefore.delete(hold.decision);
      return nothing;
    } catch (error) {
      log.error({ err: error, path: hold.path, action: hold.kind }, 'pressure: can not be undone');
      this.#notBefore.set(hold.decision, engine.nowNs() + retryNs);
      return 'failed';
    }
  }
}

function nanos(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n;
}

function largest(first: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((most, each) => (each !== undefined && each > most ? each : most), first);
}
