import { changedInUse, restartReasons } from './spec-change.ts';
import type { VolumeSpec } from '../spec.ts';
import type { VolumePhase } from '../status.ts';

/** What became of a new configuration. */
export type Takeover =
  | { readonly kind: 'later'; readonly reason: string } // some of it is in force, the rest comes with a reboot
  | {
      readonly kind: 'now';
      /** What is half-made is not what is wanted any more. */
      readonly remake: boolean;
      /** Another place than the one it had was asked for. */
      readonly moves: boolean;
    };

/** Which spec a volume follows, and the newest one, for as long as that has to wait. */
export class Succession {
  #spec: VolumeSpec;
  #next: VolumeSpec | undefined;
  readonly #changes = new Set<string>();

  constructor(spec: VolumeSpec) {
    this.#spec = spec;
  }

  /** The one in force. */
  get spec(): VolumeSpec {
    return this.#spec;
  }

  /** The one that was given last. */
  get newest(): VolumeSpec {
    return this.#next ?? this.#spec;
  }

  replace(spec: VolumeSpec): void {
    // Compared with the spec of the apply before: the keys of older ones may be wiped by now.
    for (const change of restartReasons(this.newest, spec)) this.#changes.add(change);
    this.#next = spec;
  }

  /** Puts in force what can be in this phase; undefined when nothing new was given. */
  take(phase: VolumePhase): Takeover | undefined {
    const next = this.#next;
    if (next === undefined) return undefined;
    const changes = [...this.#changes];
    const moves = changes.some((change) => change === 'discovery' || change === 'volumeType');
    // A volume that failed while in use is still in use, and one that is open is not somewhere else.
    if (changes.length > 0 && (phase === 'ready' || (phase === 'prepared' && moves))) {
      this.#spec = changedInUse(this.#spec, next);
      return { kind: 'later', reason: `needs a reboot: ${changes.join(', ')} changed` };
    }
    this.#next = undefined;
    this.#changes.clear();
    this.#spec = next;
    return { kind: 'now', remake: changes.length > 0, moves };
  }
}
