import type { Json } from '@nodecore/state';
import { type Clock, KeyedLock, Latest } from '@nodecore/waiting';
import { Courtesy, type ReadPressure } from '@nodecore/trim';
import { type MountStatus, VolumeError } from '@nodecore/volumes';

import type { Log } from '../log.ts';
import { volumeTrimSpec } from './trim-spec.ts';
import { type Engine, type Finding, machineEngine, nothingMounted } from './engine.ts';
import { RecordFile } from './record-file.ts';
import { taken, type TrimTrigger } from './record.ts';
import type { TrimEvent } from './trim-event.ts';
import { requestTrims, type TrimRequestOptions } from './trim-request.ts';
import { type Outcome, TrimRun } from './trim-run.ts';
import { VolumeTrim } from './volume-trim.ts';

export type TrimsParts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly mounts: () => readonly MountStatus[];
  /** Names this node in the schedule; the same for all its life. */
  readonly nodeId: () => string;
  /** Where records are kept. */
  readonly directory: () => Promise<string>;
  readonly engine?: Engine;
  readonly pressure?: ReadPressure;
};

/** The clock may be set meanwhile, and some intervals are longer than the longest timer. */
const longestRestMs = 3_600_000;
/** What a shutdown or a change of the configuration waits for a range at most. */
const longestRangeMs = 10_000;
const showEveryMs = 1000;

/** Trims volumes when their slots come, if `trimsController` asks it to look, and on request. */
export class Trims {
  readonly #parts: TrimsParts;
  readonly #engine: Engine;
  readonly #records: RecordFile;
  /** By disk. However many disks there are, two trims at once: each holds a thread of the pool that all I/O shares. */
  readonly #turns = new KeyedLock({ max: 2 });
  readonly #courtesy: Courtesy;
  readonly #volumes = new Map<string, VolumeTrim>();
  readonly #scheduled = new Latest<object>();
  readonly #shown = new Latest<ReadonlyMap<string, Json>>();
  readonly #working = new Set<Promise<void>>();
  #stopping = false;
  #shownMs = 0;

  constructor(parts: TrimsParts) {
    const { engine = machineEngine, clock, pressure } = parts;
    this.#parts = parts;
    this.#engine = engine;
    this.#records = new RecordFile(parts);
    this.#courtesy = new Courtesy({ clock, ...(pressure !== undefined && { read: pressure }) });
  }

  /**
   * Which volumes there are, and how often each is trimmed; undefined: on request only. Resolves when no trim holds a volume
   * that is not among them any more, so that it can be unmounted.
   */
  async configure(intervals: ReadonlyMap<string, number | undefined>): Promise<void> {
    const { clock, nodeId } = this.#parts;
    const gone = [...this.#volumes.values()].filter(({ id }) => !intervals.has(id));
    for (const { id, run } of gone) {
      run?.abort();
      this.#volumes.delete(id);
    }
    await this.#inTime(gone.flatMap(({ run }) => run?.ended ?? []));
    const known = await this.#records.read();
    const now = clock.now();
    for (const [id, intervalMs] of intervals) {
      const record = taken(known.get(id) ?? { handledMs: 0, attempts: 0 }, now);
      const volume = this.#volumes.get(id) ?? new VolumeTrim(id, nodeId(), record, now);
      volume.schedule(intervalMs, now);
      this.#volumes.set(id, volume);
    }
    this.#changed();
  }

  /** Yields when {@link look} may find something else, until the signal fires. */
  scheduleChanges(signal: AbortSignal): AsyncIterable<unknown> {
    return this.#scheduled.changes(signal);
  }

  /** Yields when {@link statuses} are others, until the signal fires. */
  statusChanges(signal: AbortSignal): AsyncIterable<unknown> {
    return this.#shown.changes(signal);
  }

  /** Begins what is due. @returns for how many milliseconds nothing else is. */
  async look(): Promise<number> {
    const { clock } = this.#parts;
    let restMs = longestRestMs;
    for (const volume of this.#volumes.values()) {
      const { verdict } = await this.#find(volume.id);
      volume.verdict = verdict;
      const now = clock.now();
      const plan = volume.plan(now);
      if (plan === undefined || !verdict.eligible || volume.run !== undefined) continue;
      // What waits for its mount stays due.
      if (plan.atMs > now) restMs = Math.min(restMs, plan.atMs - now);
      else if (!this.#stopping && this.#volumes.get(volume.id) === volume)
        this.#begin(volume, plan.why, verdict.disks);
    }
    await this.#save();
    this.#show();
    return restMs;
  }

  /** What is shown of each volume that was looked at, as the specs of `VolumeTrimStatuses`. */
  get statuses(): ReadonlyMap<string, Json> {
    return this.#shown.value ?? new Map();
  }

  /** Ends every trim, each after the range that runs. None begins any more. */
  async close(): Promise<void> {
    this.#stopping = true;
    for (const { run } of this.#volumes.values()) run?.abort();
    await this.#inTime([...this.#working]);
  }

  /**
   * Trims volumes now, all of them when none is named. A reader that stops ends the trims that no other one wants.
   *
   * @throws {VolumeError} `ERR_VOLUME_NOT_FOUND` at once, before anything is done.
   */
  request(ids: readonly string[], options: TrimRequestOptions): AsyncGenerator<TrimEvent, void, undefined> {
    for (const id of ids) this.#known(id);
    const wanted = ids.length === 0 ? [...this.#volumes.keys()] : [...new Set(ids)];
    const join = (id: string, disks: readonly string[]): TrimRun | undefined =>
      this.#known(id).run ?? (this.#stopping ? undefined : this.#begin(this.#known(id), 'request', disks));
    return requestTrims(wanted.sort(), { find: (id) => this.#find(id), join }, options);
  }

  /** Waits for the end of trims that were aborted, but not for a disk that hangs. */
  async #inTime(ends: readonly Promise<unknown>[]): Promise<void> {
    if (ends.length === 0) return;
    const ended = new AbortController();
    const tooLong = this.#parts.clock.sleep(longestRangeMs, ended.signal).catch(() => {}); // cut short
    await Promise.race([Promise.all(ends), tooLong]);
    ended.abort();
  }

  #begin(volume: VolumeTrim, trigger: TrimTrigger, disks: readonly string[]): TrimRun {
    const { clock, log } = this.#parts;
    let shown: TrimRun['state'] = 'queued';
    const run: TrimRun = new TrimRun({
      target: this.#targetOf(volume.id) ?? '',
      disks,
      trigger,
      engine: this.#engine,
      turns: this.#turns,
      courtesy: this.#courtesy,
      clock,
      begins: async (startedMs) => {
        log.info({ volume: volume.id, trigger, disks }, 'trim begins');
        volume.begun(run, startedMs);
        await this.#save();
      },
      changed: () => {
        if (run.state === shown && clock.now() - this.#shownMs < showEveryMs) return;
        shown = run.state;
        this.#show();
      },
    });
    volume.run = run;
    const work = run.ended.then((outcome) => this.#ended(volume, run, outcome));
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work));
    this.#show();
    return run;
  }

  async #ended(volume: VolumeTrim, run: TrimRun, outcome: Outcome): Promise<void> {
    const { clock, log } = this.#parts;
    volume.ended(run, outcome, { nowMs: clock.now(), stopping: this.#stopping });
    const { durationMs, pausedMs, trimmedBytes, code } = volume.record.last ?? {};
    const figures = { durationMs, pausedMs, trimmedBytes: trimmedBytes?.toString(), code };
    const level = outcome.kind === 'failed' ? 'warn' : 'info';
    log[level]({ volume: volume.id, trigger: run.trigger, outcome: outcome.kind, ...figures }, 'trim ended');
    await this.#save();
    this.#changed();
  }

  async #find(id: string): Promise<Finding> {
    const target = this.#targetOf(id);
    return target === undefined ? nothingMounted(id) : await this.#engine(target);
  }

  #targetOf(id: string): string | undefined {
    return this.#parts.mounts().find(({ volumeId, phase }) => volumeId === id && phase === 'mounted')?.target;
  }

  #known(id: string): VolumeTrim {
    const volume = this.#volumes.get(id);
    if (volume !== undefined) return volume;
    throw new VolumeError('ERR_VOLUME_NOT_FOUND', id, `there is no volume ${id}`, 'needs-operator');
  }

  #changed(): void {
    this.#scheduled.set({});
  }

  async #save(): Promise<void> {
    const records = new Map([...this.#volumes].map(([id, { record }]) => [id, record]));
    await this.#records.write(records);
  }

  /** As it is at this moment: what is half decided a moment later is not shown. */
  #show(): void {
    this.#shownMs = this.#parts.clock.now();
    const specs = new Map<string, Json>();
    for (const [id, volume] of this.#volumes) {
      if (volume.verdict !== undefined) specs.set(id, volumeTrimSpec(volume, volume.verdict));
    }
    this.#shown.set(specs);
  }
}
