import { type Configuration, diff, parse } from '@nodecore/config';
import { type Clock, Serial, systemClock } from '@nodecore/sys';
import type { VolumeStatus } from '@nodecore/volumes';

import type { Log } from '../log.ts';
import type { StateDirectory } from '../persistence/state-directory.ts';
import { ApplyError } from './errors.ts';
import { checkLive } from './live-checks.ts';
import type { ApplyMode, ApplyRequest, ApplyResult } from './request.ts';
import { Trial } from './trial.ts';

/** A configuration in use, with the number that it was given. */
export type Numbered = { readonly configuration: Configuration; readonly version: number };

/** A persisted text, with the number that it was given. */
export type Persisted = { readonly text: string; readonly version: number };

/** What the configurator needs of the rest of the node. */
export type ConfiguratorParts = {
  readonly log: Log;
  readonly clock?: Clock;
  /** Resolves with the place to persist in, which may first have to be made as `configuration` says. */
  readonly prepareState: (configuration: Configuration) => Promise<StateDirectory>;
  /** What the volumes are like now. */
  readonly volumeStatuses: () => readonly VolumeStatus[];
  /** Throws when the node could not work with it; called before anything is persisted. */
  readonly admit: (configuration: Configuration) => Promise<void>;
  /** Called with every configuration that becomes active. */
  readonly activate: (active: Numbered) => Promise<void>;
  /** Called whenever what is active or persisted has changed. */
  readonly publish: (active: Numbered | undefined, persisted: Persisted | undefined) => void;
};

const defaultTryTimeoutMs = 60_000;
const longestTryTimeoutMs = 86_400_000;

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
  /** Every configuration that was active: volumes compare the keys they were opened with to later ones. */
  readonly #used = new Set<Configuration>();

  constructor(parts: ConfiguratorParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#trial = new Trial(this.#clock);
  }

  /** Undefined in maintenance. */
  get active(): Numbered | undefined {
    return this.#active;
  }

  /** Makes the persisted configuration active, also one that was staged. @returns whether there is one. */
  boot(state: StateDirectory): Promise<boolean> {
    return this.#turn.run(async () => {
      if (this.#active !== undefined) return true; // applied while the state was looked for
      return this.#load(state);
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
    try {
      return await this.#turn.run(() => this.#applyAlone(request));
    } finally {
      this.#busy = false;
    }
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

  /** Wipes the keys of every configuration that was active. Only when nobody uses volumes any more. */
  [Symbol.dispose](): void {
    for (const configuration of this.#used) configuration[Symbol.dispose]();
  }

  async #load(state: StateDirectory): Promise<boolean> {
    const text = await state.readConfiguration();
    this.#state = state;
    this.#version = await state.readVersion();
    if (text === undefined) return false;
    const configuration = parse(text);
    this.#persisted = { text, version: this.#version };
    await this.#activate({ configuration, version: this.#version });
    return true;
  }

  async #applyAlone(request: ApplyRequest): Promise<ApplyResult> {
    const configuration = parse(request.text);
    let kept = false;
    try {
      this.#check(request, configuration);
      await this.#parts.admit(configuration);
      const result = this.#describe(request, configuration);
      if (request.dryRun) return { ...result, version: this.#newest() };
      if (!this.#isChange(request)) return { ...result, details: 'No changes.', version: this.#newest() };
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

  #check(request: ApplyRequest, configuration: Configuration): void {
    const { mode, expectedVersion, tryTimeoutMs = 0, anonymous } = request;
    if (anonymous && this.#active !== undefined) {
      // It was let in before, and waited its turn while the persisted configuration became active.
      throw new ApplyError(
        'ERR_APPLY_CONFIGURED',
        'the node has a configuration: connect with a certificate',
      );
    }
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
    if (expectedVersion === undefined || expectedVersion === this.#newest()) return;
    const message = `the configuration has version ${this.#newest()}, not ${expectedVersion}`;
    throw new ApplyError('ERR_APPLY_CONFLICT', message);
  }

  #describe(
    { mode, dryRun, text }: ApplyRequest,
    configuration: Configuration,
  ): Omit<ApplyResult, 'version'> {
    const changes = diff(this.#active?.configuration.text ?? '', text);
    return {
      warnings: configuration.warnings.map(({ document, message }) => `${document}: ${message}`),
      mode,
      details: dryRun ? `Dry run: ${wouldHappen[mode]}` : happened[mode],
      diff: changes,
      durable: !dryRun && mode !== 'try',
    };
  }

  #isChange({ mode, text }: ApplyRequest): boolean {
    if (mode === 'try') return true; // asks for its timer, whatever the text
    const persisted = this.#persisted?.text === text;
    return mode === 'staged' ? !persisted : !persisted || this.#active?.configuration.text !== text;
  }

  async #act({ mode, text, tryTimeoutMs }: ApplyRequest, configuration: Configuration): Promise<void> {
    if (mode === 'try') {
      const version = this.#version + 1;
      await this.#state?.writeVersion(version);
      this.#version = version;
      this.#original ??= this.#active;
      this.#trial.start(tryTimeoutMs ?? defaultTryTimeoutMs, () => this.#rollBack());
      await this.#activate({ configuration, version });
      return;
    }
    await this.#prepareState(configuration);
    const version = this.#version + 1;
    await this.#state?.writeConfiguration(text, version);
    this.#version = version;
    this.#persisted = { text, version };
    if (mode === 'staged') {
      this.#parts.publish(this.#active, this.#persisted);
      return;
    }
    this.#trial.stop();
    this.#original = undefined;
    await this.#activate({ configuration, version });
  }

  /** STATE may turn out to hold a configuration already: the first one then is that, and not what somebody brings. */
  async #prepareState(configuration: Configuration): Promise<void> {
    const state = await this.#parts.prepareState(configuration);
    this.#state = state;
    if (this.#active !== undefined || (await state.readConfiguration()) === undefined) return;
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
    });
  }

  async #activate(next: Numbered): Promise<void> {
    this.#active = next;
    this.#used.add(next.configuration);
    await this.#parts.activate(next);
    this.#parts.publish(this.#active, this.#persisted);
  }

  #newest(): number {
    return Math.max(this.#active?.version ?? 0, this.#persisted?.version ?? 0);
  }
}

const happened: Readonly<Record<ApplyMode, string>> = {
  auto: 'Applied configuration without a reboot.',
  'no-reboot': 'Applied configuration without a reboot.',
  staged: 'Staged configuration to be applied after the next reboot.',
  try: 'Applied configuration on trial: it is rolled back unless it is applied again in time.',
};

const wouldHappen: Readonly<Record<ApplyMode, string>> = {
  auto: 'the configuration would be applied without a reboot.',
  'no-reboot': 'the configuration would be applied without a reboot.',
  staged: 'the configuration would be staged until the next reboot.',
  try: 'the configuration would be applied on trial.',
};
