import { codeOf } from '@nodecore/sys';
import { Backoff, Signal } from '@nodecore/waiting';

import type { Action, Wait } from '../plan/action.ts';
import { closeVolume, forget } from './close-volume.ts';
import { permanenceOf } from '../errors.ts';
import { progressOf, type Step } from '../execute/execute.ts';
import type { Facts, Found } from '../facts/facts.ts';
import { observeVolume, type Seen } from '../observe/observe-volume.ts';
import { recordAt } from '../intents/intent.ts';
import { initialProgress, knownFacts, type RunProgress, withProgress } from './run-progress.ts';
import { plan } from '../plan/plan.ts';
import { executePatiently } from '../execute/slow-step.ts';
import type { VolumeSpec } from '../spec.ts';
import { failed, initialStatus, isSame, phaseOf, succeeded, waiting } from '../status-change.ts';
import type { VolumeStatus } from '../status.ts';
import { standingReason } from '../plan/standing-reason.ts';
import { Succession } from '../plan/succession.ts';
import { knownInventory, type TaskOptions } from './surroundings.ts';
import { errorOf, noProgress } from './task-errors.ts';
import { TaskKeys } from './task-keys.ts';
import type { VolumeKeys } from '../keys/volume-keys.ts';
import { givesWay, type WantedSpace } from '../plan/wanted-space.ts';
import type { Work } from '../work.ts';

type Rest = { readonly ms: number | undefined } | undefined; // undefined: go on at once

/** A disk may become usable without any event, for instance when it is wiped where no udev runs. */
const pollMs = 30_000;
const maxPasses = 200; // from a blank disk to a mount it takes about 30

/**
 * One volume's life: look, plan, do, publish, until there is nothing to do; then rest until something changes or
 * the retry is due. Tasks share nothing but the queues of disks: one that fails or hangs holds back no other.
 */
export class VolumeTask {
  readonly #options: TaskOptions;
  readonly #backoff: Backoff;
  readonly #changed = new Signal();
  readonly #stopping = new AbortController();
  readonly #specs: Succession;
  readonly #keys: TaskKeys;
  #status: VolumeStatus;
  #found: Found | undefined;
  #progress: RunProgress = initialProgress;
  #seen: Seen = {};
  #wantsSpace: WantedSpace | undefined = 'anywhere';
  #failedMaking = false;
  #running: Promise<void> | undefined;

  constructor(spec: VolumeSpec, options: TaskOptions) {
    this.#specs = new Succession(spec);
    this.#options = options;
    this.#status = initialStatus(spec);
    const { random } = options;
    this.#backoff = new Backoff({ firstMs: 1000, largestMs: 60_000, ...(random && { random }) });
    this.#keys = new TaskKeys(options, (change) => this.#publish({ ...this.#status, ...change }));
  }

  get spec(): VolumeSpec {
    return this.#specs.spec;
  }

  get status(): VolumeStatus {
    return this.#status;
  }

  /** Its place, once it has one, found or made in this run. */
  get found(): Found | undefined {
    return this.#found;
  }

  /** Where it may still take space that a later volume would like to have. */
  get wantsSpace(): WantedSpace | undefined {
    return this.#found === undefined ? this.#wantsSpace : undefined;
  }

  /** Whether the keys of the newest configuration are in their keyslots; also of a volume that takes none. */
  get keysInSync(): boolean {
    return this.#keys.areInSync(this.#specs.newest);
  }

  /** What an operator may ask of its keys and its header. */
  get keys(): VolumeKeys {
    const { uuid } = this.#status;
    const parts = { spec: this.spec, found: this.#found, uuid, stopping: this.#stopping.signal };
    return this.#keys.operations({ ...parts, changed: () => this.#changed.notify() });
  }

  start(): void {
    this.#options.surroundings.publish(this.#status);
    this.#running ??= this.#run();
  }

  /** New configuration; taken over between two steps. */
  replace(spec: VolumeSpec): void {
    this.#keys.replaced(this.#specs.newest, spec);
    this.#specs.replace(spec);
    this.#changed.notify();
  }

  /** Something has changed outside. A failure that only time cures is left to its retry. */
  notice(what: 'disks' | 'neighbours'): void {
    if (this.#status.phase === 'failed') {
      const worthIt = what === 'disks' && this.#status.permanence === 'needs-operator' && !this.#failedMaking;
      if (!worthIt) return;
    }
    this.#changed.notify();
  }

  /** Ends the task once the step in hand is done. Nothing is unmounted. Twice is fine. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#keys.stop();
  }

  /**
   * Ends the task, unmounts and locks. When it throws, the status says why, and it may be called again.
   *
   * @param options.forget the document is gone: the volume gives up its disk, with the data on it.
   */
  async close(options: { readonly forget: boolean }): Promise<void> {
    await this.stop();
    const { workshop, surroundings } = this.#options;
    const isClosed = this.#status.phase === 'closed'; // maybe while its document was there
    const closing = { spec: this.spec, found: this.#found, mountLocation: this.#status.mountLocation };
    try {
      if (!isClosed) await closeVolume(closing, workshop, surroundings);
      if (options.forget) await forget(closing, { ...workshop, inventory: surroundings.inventory() });
    } catch (error) {
      this.#publish(failed(this.#status, error, undefined));
      throw error;
    }
    if (!isClosed) this.#publish(succeeded(this.#status, { phase: 'closed' }));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let passes = 0;
    while (!signal.aborted) {
      this.#changed.clear(); // before looking: what changes from here on is not missed
      this.#takeOver();
      await this.#keys.follow(this.spec, this.#status, this.#found);
      passes += 1;
      const rest = passes > maxPasses ? this.#fail(noProgress(this.spec.id)) : await this.#advance();
      if (rest === undefined || signal.aborted) continue;
      await this.#changed.waitFor(rest.ms, { clock: this.#options.clock, signal }).catch(() => {});
      this.#seen = {};
      passes = 0;
    }
  }

  async #advance(): Promise<Rest> {
    try {
      return await this.#carryOut(plan(this.spec, this.#status, this.#facts()));
    } catch (error) {
      // Its mapping can not be asked about now; that it is in use has not ended by that.
      if (this.#status.phase === 'ready' && codeOf(error) === 'ERR_LUKS_HELD') return { ms: pollMs };
      return this.#stopping.signal.aborted ? undefined : this.#fail(error);
    }
  }

  async #carryOut(action: Action): Promise<Rest> {
    const { kind } = action;
    if (kind === 'wait') return this.#wait(action);
    if (kind === 'fail') return this.#fail(errorOf(this.spec.id, action));
    if (kind === 'stay') return this.#stay();
    if (kind === 'locate' || kind === 'survey' || kind === 'inspect') {
      this.#seen = { ...this.#seen, ...(await observeVolume(kind, this.#work())) };
    } else {
      await this.#step(action);
    }
    return undefined;
  }

  #stay(): Rest {
    if (this.#status.phase === 'failed') this.#publish(succeeded(this.#status, {}));
    const facts = { device: this.#seen.device, found: this.#found, growth: this.#progress.growth };
    const reason = standingReason(this.#status.reason, facts);
    if (reason !== this.#status.reason)
      this.#publish(succeeded(this.#status, reason === undefined ? {} : { reason }));
    return { ms: undefined };
  }

  async #step(step: Step): Promise<void> {
    const work = this.#work();
    const progress = progressOf(work, step);
    if (progress !== undefined) this.#publish({ ...this.#status, progress });
    const tell = (reason: string): void => this.#publish({ ...this.#status, reason });
    const result = await executePatiently(work, step, { ...this.#options, tell });
    const { found, growth, status, opener } = result;
    this.#seen = {};
    if (opener !== undefined) this.#keys.openedBy(opener);
    this.#found = found ?? this.#found;
    this.#progress = withProgress(this.#progress, result);
    this.#publish(succeeded(this.#status, status ?? {}));
    if (growth?.reason !== undefined) this.#options.log.warn({ volume: work.spec.id }, growth.reason);
    if (found !== undefined) this.#settleSpace(undefined);
    if (phaseOf(this.#status) === 'ready') {
      this.#backoff.reset();
      this.#progress = withProgress(this.#progress, { sound: 'unknown' }); // asked again before it is mounted again
    }
    this.#options.log.info(
      { volume: work.spec.id, step: step.kind, phase: this.#status.phase },
      'volume step',
    );
  }

  #wait(action: Wait): Rest {
    this.#settleSpace(action.wantsSpace);
    if (action.phase !== undefined) {
      this.#found = undefined;
      this.#progress = initialProgress;
    }
    const status = waiting(this.spec, this.#status, action);
    if (!isSame(status, this.#status)) this.#publish(status);
    return { ms: pollMs };
  }

  #fail(error: unknown): Rest {
    const { clock, log } = this.#options;
    const permanence = permanenceOf(error);
    this.#failedMaking = this.#progress.made !== 'nothing';
    // What rang meanwhile were its own writes: who tries again for them never rests.
    if (this.#failedMaking && this.#specs.newest === this.spec) this.#changed.clear();
    // What a failed run has left is made again from the beginning.
    this.#progress = withProgress(this.#progress, { made: 'nothing', sound: 'unknown' });
    this.#seen = {};
    // After a disk that did not answer the next attempt finds out whether it does, or takes another.
    if (codeOf(error) !== 'ERR_VOLUME_NO_ANSWER') this.#settleSpace(undefined);
    const delayMs = this.#backoff.next() * (permanence === 'transient' ? 1 : 5);
    const ms = permanence === 'fatal' ? undefined : delayMs;
    this.#publish(failed(this.#status, error, ms === undefined ? undefined : clock.now() + ms));
    const { errorCode, errorMessage = '' } = this.#status;
    log.warn({ volume: this.spec.id, code: errorCode, permanence }, errorMessage);
    return { ms };
  }

  /** A volume in use keeps the settings it was made with; the difference is told, and comes with a reboot. */
  #takeOver(): void {
    const takeover = this.#specs.take(phaseOf(this.#status));
    if (takeover === undefined) return;
    if (takeover.kind === 'later') {
      const { reason } = takeover;
      if (this.#status.reason !== reason) this.#publish({ ...this.#status, reason });
      return;
    }
    this.#seen = {};
    if (takeover.remake) this.#progress = withProgress(this.#progress, { made: 'nothing' });
    if (takeover.moves) this.#lookElsewhere();
    this.#wantsSpace = 'anywhere';
    this.#backoff.reset();
    this.#failedMaking = false;
    const { configuredEncryptionKeys, filesystem = this.#status.filesystem } = initialStatus(this.spec);
    this.#publish({ ...this.#status, configuredEncryptionKeys, ...(filesystem && { filesystem }) });
  }

  /** Another place than the one it had was asked for. */
  #lookElsewhere(): void {
    this.#found = undefined;
    this.#progress = withProgress(this.#progress, { growth: {} });
    this.#options.workshop.claims.release(this.spec.id);
    this.#status = initialStatus(this.spec);
  }

  #facts(): Facts {
    return knownFacts(this.spec, this.#options, { ...this.#progress, ...this.#seen });
  }

  #work(): Work {
    return {
      ...this.#options.workshop,
      spec: this.spec,
      status: this.#status,
      facts: this.#facts(),
      inventory: knownInventory(this.#options.surroundings),
      found: this.#found,
      signal: this.#stopping.signal,
      tell: (progress) => this.#publish({ ...this.#status, progress }),
    };
  }

  #settleSpace(wantsSpace: WantedSpace | undefined): void {
    const before = this.#wantsSpace;
    this.#wantsSpace = wantsSpace;
    if (givesWay(before, wantsSpace)) this.#options.surroundings.spaceSettled();
  }

  #publish(status: VolumeStatus): void {
    const record = this.#options.workshop.intents.get(this.spec.id); // may be read later than the volume is found
    const proof = this.#found && recordAt(this.#found, record)?.proof;
    this.#status = proof === undefined ? status : { ...status, proof };
    this.#options.surroundings.publish(this.#status);
  }
}
