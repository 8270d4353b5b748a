import { type Configuration, parse, restoreSecrets } from '@nodecore/config';
import { type Clock, Serial, systemClock } from '@nodecore/waiting';

import type { StateDirectory } from '../persistence/state-directory.ts';
import { describeChange } from './change.ts';
import type { ConfiguratorParts, Numbered } from './configurator-parts.ts';
import { ApplyError } from './errors.ts';
import { changesKeys, FormerConfigurations } from './former.ts';
import { checkLive } from './live-checks.ts';
import { type Persisted, remembered } from './persisted.ts';
import { RefusedState } from './refused-state.ts';
import type { ApplyRequest, ApplyResult } from './request.ts';
import { mergedText } from './sources.ts';
import { defaultTryTimeoutMs, longestTryTimeoutMs, Trial } from './trial.ts';

/** Owns which configuration is active and which is persisted, and is the only one to change either. */
export class Configurator {
  readonly #parts: ConfiguratorParts;
  readonly #clock: Clock;
  readonly #turn = new Serial();
  readonly #trial: Trial;
  #busy = false;
  #active: Numbered | undefined;
  #persisted: Persisted | undefined;
  /** What was active before the first of a row of trials. */
  #original: Numbered | undefined;
  /** The last number given. */
  #version = 0;
  #state: StateDirectory | undefined;
  readonly #refused = new RefusedState();
  /** Every configuration that was active: volumes compare the keys they were opened with to later ones. */
  readonly #used = new Set<Configuration>();
  readonly #former: FormerConfigurations;
  /** The one that was told to be the only one whose keys are needed. */
  #settled: Configuration | undefined;

  constructor(parts: ConfiguratorParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#trial = new Trial(this.#clock);
    this.#former = new FormerConfigurations(parts.log);
  }

  /** Undefined in maintenance. */
  get active(): Numbered | undefined {
    return this.#active;
  }

  /** Makes the persisted configuration active, also one that was staged. @returns whether there is one. */
  boot(state: StateDirectory): Promise<boolean> {
    return this.#turn.run(async () => {
      if (this.#active !== undefined) return true; // applied while the state was looked for
      return this.#load(state).finally(() => this.#parts.forgetTexts?.());
    });
  }

  /**
   * Applies a configuration. When it resolves without `dryRun`, the mode's promise holds: what shall be persisted
   * survives a power cut. When it rejects, nothing has changed, and a pending trial is still pending.
   */
  async apply(request: ApplyRequest): Promise<ApplyResult> {
    if (this.#busy) {
      throw new ApplyError('ERR_APPLY_IN_PROGRESS', 'another configuration is being applied');
    }
    this.#busy = true;
    using _texts = this.#parts.holdTexts?.();
    try {
      return await this.#turn.run(() => this.#applyAlone(request));
    } finally {
      this.#busy = false;
      this.#parts.forgetTexts?.();
    }
  }

  /**
   * Forgets the keys of configurations before, when every volume has those of the active one and no other configuration
   * waits for the next boot. Called whenever that may have become so.
   */
  async forgetFormer(): Promise<void> {
    if (this.#unsettled() === undefined) return; // as a rule: nothing has to wait for its turn
    await this.#turn.run(async () => {
      const active = this.#unsettled();
      if (active === undefined) return;
      await this.#parts.settle(active);
      if (!this.#former.isEmpty) await this.#former.forget(this.#state);
      this.#settled = active;
    });
  }

  /** Resolves when no trial is pending. */
  async settled(): Promise<void> {
    await this.#trial.settled();
  }

  /** Ends a pending trial without a rollback: what is persisted decides about the next boot. */
  async close(): Promise<void> {
    this.#trial.stop();
    await this.#turn.run(() => {});
  }

  /** Wipes the keys of every configuration that was active. Only when no volume is in use any more. */
  [Symbol.dispose](): void {
    for (const configuration of this.#used) configuration[Symbol.dispose]();
    this.#former[Symbol.dispose]();
    this.#persisted?.text[Symbol.dispose]();
    this.#refused[Symbol.dispose]();
  }

  async #load(state: StateDirectory): Promise<boolean> {
    const text = await state.readConfiguration();
    this.#state = state;
    this.#version = await state.readVersion();
    if (text === undefined) return false;
    const configuration = this.#refused.parse(text, this.#version);
    this.#persisted = remembered(configuration, this.#version, this.#persisted);
    await this.#former.load(state);
    await this.#activate({ configuration, version: this.#version });
    return true;
  }

  async #applyAlone(asked: ApplyRequest): Promise<ApplyResult> {
    // Before anything that depends on what is active: the caller may have made its text from another one.
    this.#checkCaller(asked);
    const asksFor = await this.#withBootText(asked.text);
    const request = { ...asked, text: restoreSecrets(asksFor, this.#newestText()) };
    const configuration = parse(request.text);
    let kept = false;
    try {
      this.#check(request, configuration);
      const doubts = await this.#parts.admit(configuration, this.#active?.configuration);
      const result = describeChange(request, this.#active?.configuration, configuration, doubts);
      if (request.dryRun) return { ...result, version: this.#newest() };
      if (!this.#isChange(request, configuration))
        return { ...result, details: 'No changes.', version: this.#newest() };
      const awaits =
        this.#active === undefined ? this.#parts.awaitInstallation?.(configuration, asked.text) : undefined;
      if (awaits !== undefined)
        return { ...result, details: awaits, durable: false, version: this.#newest() };
      kept = request.mode !== 'staged';
      await this.#act(request, configuration).catch((error: unknown) => {
        kept = this.#active?.configuration === configuration;
        throw error;
      });
      return { ...result, version: this.#newest() };
    } finally {
      if (!kept) configuration[Symbol.dispose]();
    }
  }

  /** Once a configuration is persisted the boot medium has no say any more: an installed node is not changed by it. */
  async #withBootText(text: string): Promise<string> {
    if (this.#active !== undefined || this.#refused.isThere) return text;
    const before = await this.#parts.bootText?.();
    return before === undefined ? text : mergedText(before, text);
  }

  #checkCaller({ expectedVersion, anonymous }: ApplyRequest): void {
    if (anonymous && (this.#active !== undefined || this.#refused.isThere)) {
      // It was let in before, and waited its turn while the persisted configuration became active.
      throw new ApplyError(
        'ERR_APPLY_CONFIGURED',
        'the node has a configuration: connect with a certificate',
      );
    }
    if (expectedVersion === undefined || expectedVersion === this.#newest()) return;
    const message = `the configuration has version ${this.#newest()}, not ${expectedVersion}`;
    throw new ApplyError('ERR_APPLY_CONFLICT', message);
  }

  #check({ mode, tryTimeoutMs = 0 }: ApplyRequest, configuration: Configuration): void {
    if (tryTimeoutMs > longestTryTimeoutMs) {
      throw new ApplyError('ERR_APPLY_MODE', 'a trial lasts one day at most');
    }
    checkLive(configuration, this.#parts.volumeStatuses());
    if (this.#active === undefined && (mode === 'staged' || mode === 'try')) {
      throw new ApplyError(
        'ERR_APPLY_MODE',
        `mode ${mode} needs an active configuration, and there is none yet`,
      );
    }
  }

  #isChange({ mode }: ApplyRequest, { source }: Configuration): boolean {
    if (mode === 'try') return true; // asks for its timer, whatever the text
    const persisted = this.#persisted?.text.equals(source) === true;
    return mode === 'staged' ? !persisted : !persisted || !this.#active?.configuration.source.equals(source);
  }

  async #act({ mode, text, tryTimeoutMs }: ApplyRequest, configuration: Configuration): Promise<void> {
    if (mode === 'try') {
      const version = this.#version + 1;
      // Its keys may be in keyslots when the power is cut, and the persisted configuration does not have them.
      await this.#parts.prepareTrial(configuration);
      await this.#keep({ configuration, version });
      await this.#state?.writeVersion(version);
      this.#version = version;
      this.#original ??= this.#active;
      this.#trial.start(tryTimeoutMs ?? defaultTryTimeoutMs, () => this.#rollBack());
      await this.#activate({ configuration, version });
      return;
    }
    await this.#prepareState(configuration);
    const version = this.#version + 1;
    // A pending trial has not kept what was active before it: that was the persisted one until now.
    for (const before of [this.#active, this.#original])
      if (before !== undefined) await this.#keep(before, configuration);
    await this.#state?.writeConfiguration(text, version);
    this.#version = version;
    this.#persisted = remembered(configuration, version, this.#persisted);
    if (mode === 'staged') {
      this.#parts.publish(this.#active, this.#persisted);
      return;
    }
    this.#trial.stop();
    this.#original = undefined;
    await this.#activate({ configuration, version });
  }

  /** STATE may turn out to hold a configuration already: the first one then is that, and not the one of the caller. */
  async #prepareState(configuration: Configuration): Promise<void> {
    const state = await this.#parts.prepareState(configuration);
    this.#state = state;
    if (this.#active !== undefined) return;
    if (this.#refused.isThere) return await this.#refused.keepIn(state, this.#former);
    if ((await state.readConfiguration()) === undefined) return;
    await this.#load(state);
    throw new ApplyError('ERR_APPLY_CONFIGURED', 'STATE holds a configuration: connect with a certificate');
  }

  async #rollBack(): Promise<void> {
    await this.#turn.run(async () => {
      const original = this.#original;
      if (original === undefined) return; // confirmed while this waited for its turn
      this.#original = undefined;
      this.#trial.stop();
      this.#version += 1;
      await this.#state?.writeVersion(this.#version).catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'the number of the configuration was not persisted');
      });
      this.#parts.log.warn(
        { version: this.#version },
        'the tried configuration was not confirmed: rolled back',
      );
      await this.#activate({ configuration: original.configuration, version: this.#version });
      this.#parts.forgetTexts?.();
    });
  }

  /** Persists a configuration whose keys may be in keyslots, when the other one asks for different keys. */
  async #keep({ configuration, version }: Numbered, other = this.#active?.configuration): Promise<void> {
    if (other === undefined || this.#state === undefined || !changesKeys(configuration, other)) return;
    await this.#former.keep(this.#state, configuration.text, version);
  }

  async #activate(next: Numbered): Promise<void> {
    const before = this.#active?.configuration;
    if (before !== undefined && changesKeys(before, next.configuration)) this.#former.note(before);
    this.#active = next;
    this.#used.add(next.configuration);
    this.#settled = undefined;
    await this.#parts.activate(next, this.#former.beside(next.configuration));
    this.#parts.publish(this.#active, this.#persisted);
  }

  /** The active configuration, when no other is needed and `settle` was not called for it yet. */
  #unsettled(): Configuration | undefined {
    const active = this.#active?.configuration;
    const isPersisted = active !== undefined && this.#persisted?.text.equals(active.source) === true;
    return isPersisted && active !== this.#settled && this.#parts.keysInForce() ? active : undefined;
  }

  /** The text that an edit of the configuration begins with; empty before the first one. */
  #newestText(): string {
    const active = this.#active;
    const persisted = this.#persisted;
    if (active === undefined || (persisted !== undefined && persisted.version > active.version))
      return persisted?.text.bytes.toString('utf8') ?? '';
    return active.configuration.text;
  }

  #newest(): number {
    return Math.max(this.#active?.version ?? 0, this.#persisted?.version ?? 0);
  }
}
