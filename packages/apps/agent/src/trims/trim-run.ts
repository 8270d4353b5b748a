import { codeOf } from '@nodecore/sys';
import type { Clock, KeyedLock } from '@nodecore/waiting';
import {
  type Courtesy,
  type Permanence,
  type SkipReason,
  TrimError,
  type TrimProgress,
  type TrimReport,
} from '@nodecore/trim';

import type { Engine } from './engine.ts';
import type { TrimTrigger } from './record.ts';

export type Outcome =
  | { readonly kind: 'done'; readonly report: TrimReport }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly permanence: Permanence;
    }
  | { readonly kind: 'aborted' };

export type TrimRunParts = {
  readonly target: string;
  readonly disks: readonly string[];
  readonly trigger: TrimTrigger;
  readonly engine: Engine;
  readonly turns: KeyedLock;
  readonly courtesy: Courtesy;
  readonly clock: Clock;
  /** Called when its turn has come, before anything is done. */
  readonly begins: (startedMs: number) => Promise<void>;
  /** Called after every change. */
  readonly changed: () => void;
};

/** One trim of one volume: waits for its disks, then goes on to its end or to an abort. */
export class TrimRun {
  readonly trigger: TrimTrigger;
  readonly disks: readonly string[];
  /** Never rejects. */
  readonly ended: Promise<Outcome>;
  readonly #parts: TrimRunParts;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<() => void>();
  #state: 'queued' | TrimProgress['state'] = 'queued';
  #progress: TrimProgress | undefined;
  #startedMs: number | undefined;

  constructor(parts: TrimRunParts) {
    this.#parts = parts;
    this.trigger = parts.trigger;
    this.disks = parts.disks;
    this.ended = this.#run();
  }

  get state(): 'queued' | TrimProgress['state'] {
    return this.#state;
  }

  get progress(): TrimProgress | undefined {
    return this.#progress;
  }

  /** When it got its turn; undefined while it waits. */
  get startedMs(): number | undefined {
    return this.#startedMs;
  }

  /** Ends it after the range that runs. */
  abort(): void {
    this.#abort.abort();
  }

  /** Called at every change. A trim on request ends with its last listener. */
  listen(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener);
        if (this.trigger === 'request' && this.#listeners.size === 0) this.abort();
      },
    };
  }

  async #run(): Promise<Outcome> {
    const { signal } = this.#abort;
    const { turns, disks, engine, target, courtesy, clock, begins } = this.#parts;
    try {
      using _turn = await turns.take(disks, signal);
      const finding = await engine(target); // it may have waited for long
      const { verdict } = finding;
      if (!verdict.eligible) return { kind: 'skipped', reason: verdict.reason, message: verdict.message };
      this.#startedMs = clock.now();
      await begins(this.#startedMs);
      this.#tell('trimming');
      const onProgress = (progress: TrimProgress): void => {
        this.#progress = progress;
        this.#tell(progress.state);
      };
      return { kind: 'done', report: await finding.trim({ courtesy, clock, signal, onProgress }) };
    } catch (error) {
      return signal.aborted ? { kind: 'aborted' } : failed(error);
    }
  }

  #tell(state: TrimProgress['state']): void {
    this.#state = state;
    this.#parts.changed();
    for (const listener of this.#listeners) listener();
  }
}

function failed(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const permanence = error instanceof TrimError ? error.permanence : 'fatal';
  return { kind: 'failed', code: codeOf(error) ?? 'ERR_TRIM_FAILED', message, permanence };
}
