import { PressureTrigger } from '@nodecore/native';
import type { PressureLine, ResourcePressure } from '@nodecore/pressure-policy';
import { type Clock, onAbort, systemClock } from '@nodecore/waiting';

import { CgroupError } from '../errors.ts';
import { errnoOf, translate } from '../failure.ts';
import { reachable } from '../path-bytes.ts';
import { checkCondition, isPrivileged, mayTrigger, type PressureCondition } from './condition.ts';
import { readResource } from './read.ts';
import { parsePressure } from './reading.ts';
import { type SamplingSource, sampledEvents } from './sampling.ts';
import { pressureFile, type PressureTarget } from './target.ts';

export type WatchPressureOptions = PressureCondition & {
  /** The machine by default. */
  readonly target?: PressureTarget;
  /**
   * What to do where the kernel refuses a trigger: look at the file ten times per window (`fall-back`, the default), or
   * throw (`never`). `always` doesn't ask the kernel.
   */
  readonly sampling?: 'fall-back' | 'never' | 'always';
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
};

/** The stall passed the threshold. */
export type PressureAlert = {
  /** When this process heard of it, in ns of CLOCK_MONOTONIC. */
  readonly atNs: bigint;
  /** The file at that moment. */
  readonly reading: ResourcePressure;
  /** True when it was found by looking, which is up to a tenth of a window late and wakes the process all the time. */
  readonly sampled: boolean;
};

/**
 * Waits for stalls: an alert whenever `stallUs` of them fell within `windowUs`, at most one per window. Alerts that come
 * while the consumer is busy are told as one. The trigger is armed when this resolves, and gone from the kernel when the
 * watch is disposed of, its iteration ends, or the signal fires.
 *
 * Writing to the file needs its permission; a window that is no multiple of 2 s needs CAP_SYS_RESOURCE.
 *
 * @throws {CgroupError} `ERR_CGROUP_OPTION` for a condition that can't be, `ERR_CGROUP_PRESSURE_OFF`,
 *   `ERR_CGROUP_NOT_FOUND` (also later, when the cgroup goes), `ERR_CGROUP_DENIED` with `sampling: 'never'`.
 */
export async function watchPressure(options: WatchPressureOptions): Promise<PressureWatch> {
  const { target = 'system', resource, kind, windowUs, stallUs, sampling = 'fall-back', signal } = options;
  const path = pressureFile(target, resource);
  checkCondition(options, path);
  signal?.throwIfAborted();
  if (sampling !== 'always') {
    const refusal = mayTrigger(windowUs, await isPrivileged())
      ? undefined
      : new CgroupError(
          'ERR_CGROUP_DENIED',
          path,
          `without CAP_SYS_RESOURCE windowUs (${windowUs}) must be a multiple of 2 s`,
        );
    const armed = refusal ?? arm(path, `${kind} ${stallUs} ${windowUs}`);
    if (armed instanceof PressureTrigger)
      return new PressureWatch(triggered(armed, path), () => armed.close(), signal);
    if (sampling === 'never' || armed.code !== 'ERR_CGROUP_DENIED') throw armed;
  }
  const lineOf = async (): Promise<PressureLine> => {
    const line = (await readResource(target, resource))[kind];
    if (line === undefined) throw new CgroupError('ERR_CGROUP_FAILED', path, `no ${kind} in it`);
    return line;
  };
  await lineOf(); // what can't be read is told now, not at the first look
  const ended = new AbortController();
  const clock = options.clock ?? systemClock;
  const source: SamplingSource = {
    read: lineOf,
    nowNs: () => process.hrtime.bigint(),
    sleep: (ms) => clock.sleep(ms, ended.signal),
  };
  const alerts = sampled(source, options, () => readResource(target, resource));
  return new PressureWatch(alerts, () => ended.abort(new Ended()), signal);
}

function arm(path: string, condition: string): PressureTrigger | CgroupError {
  try {
    return reachable(path, (there) => PressureTrigger.open(there, condition));
  } catch (error) {
    const translated = translate(error, path);
    if (!(translated instanceof CgroupError)) throw error;
    // The kernel's answer to whatever it doesn't allow; the condition itself was checked.
    if (errnoOf(error) !== 'EINVAL') return translated;
    return new CgroupError('ERR_CGROUP_DENIED', path, `the kernel refuses a trigger "${condition}"`, {
      cause: error,
    });
  }
}

async function* triggered(
  trigger: PressureTrigger,
  path: string,
): AsyncGenerator<PressureAlert, undefined, undefined> {
  using owned = trigger;
  try {
    while (!owned.closed) {
      const event = await owned.receive();
      if (event === undefined) return undefined;
      yield { atNs: event.firedNs, reading: parsePressure(event.text), sampled: false };
    }
  } catch (error) {
    throw translate(error, path);
  }
  return undefined;
}

/** The watch was closed; never seen outside. */
class Ended extends Error {}

async function* sampled(
  source: SamplingSource,
  condition: PressureCondition,
  read: () => Promise<ResourcePressure>,
): AsyncGenerator<PressureAlert, undefined, undefined> {
  try {
    for await (const { atNs } of sampledEvents(source, condition)) {
      yield { atNs, reading: await read(), sampled: true };
    }
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
  return undefined;
}

/** Alerts as they come. Iterate once; leaving the loop closes it. */
export class PressureWatch implements AsyncIterableIterator<PressureAlert>, AsyncDisposable {
  readonly #alerts: AsyncGenerator<PressureAlert, undefined, undefined>;
  readonly #end: () => void;
  readonly #signal: AbortSignal | undefined;
  readonly #listener: Disposable;

  /** @internal */
  constructor(
    alerts: AsyncGenerator<PressureAlert, undefined, undefined>,
    end: () => void,
    signal: AbortSignal | undefined,
  ) {
    this.#alerts = alerts;
    this.#end = end;
    this.#signal = signal;
    this.#listener = onAbort(signal, end);
  }

  async next(): Promise<IteratorResult<PressureAlert, undefined>> {
    const result = await this.#alerts.next();
    if (result.done === true) this.#signal?.throwIfAborted();
    return result;
  }

  /** Removes the trigger from the kernel and ends a wait. Twice is fine. */
  async close(): Promise<void> {
    this.#listener[Symbol.dispose]();
    this.#end();
    await this.#alerts.return(undefined);
  }

  async return(): Promise<IteratorResult<PressureAlert, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
