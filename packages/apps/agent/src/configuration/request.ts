/**
 * - `auto`, `no-reboot`: persisted, then active. Every change is applied live, so the two are one.
 * - `staged`: persisted only; active after the next boot.
 * - `try`: active only, until the time is over.
 */
export type ApplyMode = 'auto' | 'no-reboot' | 'staged' | 'try';

export type ApplyRequest = {
  readonly text: string;
  readonly mode: ApplyMode;
  /** Everything is checked and nothing is changed. */
  readonly dryRun: boolean;
  /** Of `try`; one minute by default. */
  readonly tryTimeoutMs?: number;
  /** The caller has no proven identity: it may bring the first configuration, and no other. */
  readonly anonymous: boolean;
  /** Number of the configuration that this one was made from. */
  readonly expectedVersion?: number;
};

export type ApplyResult = {
  readonly warnings: readonly string[];
  readonly mode: ApplyMode;
  /** One sentence for people about what happened or, in a dry run, would happen. */
  readonly details: string;
  /** Unified diff from the active configuration, secrets redacted; empty when they are equal. */
  readonly diff: string;
  readonly durable: boolean;
  /** For the next `expectedVersion`. */
  readonly version: number;
};
