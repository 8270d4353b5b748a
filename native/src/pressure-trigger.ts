import { addon } from './addon.ts';
import type { AddonPressureTrigger } from './cgroup-addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';

export type PressureEvent = {
  /** When the loop heard of it, in ns of CLOCK_MONOTONIC. */
  readonly firedNs: bigint;
  /** The file's text at that moment. */
  readonly text: string;
};

/** A trigger of a pressure file. The kernel fires it at most once per window, and removes it with its descriptor. */
export class PressureTrigger extends Handle<AddonPressureTrigger> {
  readonly #path: string;

  /**
   * @param condition `some 150000 1000000`: kind, stall and window in microseconds.
   * @throws {NativeError} EINVAL for a condition that this process may not ask for, EOPNOTSUPP when the kernel does
   *   not account, ENOENT, EACCES.
   */
  static open(path: string, condition: string): PressureTrigger {
    const { PressureTrigger: Native } = addon();
    return new PressureTrigger(
      translated(path, () => new Native(path, condition)),
      path,
    );
  }

  private constructor(native: AddonPressureTrigger, path: string) {
    super(native, 'pressure trigger');
    this.#path = path;
  }

  /**
   * Waits until it fires; what fired while nobody waited is told as one event. Undefined once closed.
   *
   * @throws {NativeError} ENODEV when its cgroup is gone.
   */
  async receive(): Promise<PressureEvent | undefined> {
    const firedNs = await this.awaited();
    if (firedNs === undefined) return undefined;
    return { firedNs, text: translated(this.#path, () => this.native.receive()) };
  }
}
