import type { Effects } from './effects.ts';

/** Two addresses and a type. */
const headerBytes = 14;
/** More than a card would queue: what is sent faster for long is lost, as on a wire. */
const usualLimitBytes = 64 << 20;

type Waiting = { readonly dueMs: number; readonly frame: Buffer };

/** Frames on their way in one direction: each leaves when it is due. Pure but for its random numbers. */
export class FrameLine {
  readonly #random: () => number;
  readonly #limitBytes: number;
  #effects: Effects = {};
  #frames: Waiting[] = [];
  /** Of {@link FrameLine.#frames}: those before have left. */
  #first = 0;
  #bytes = 0;
  #lastDueMs = 0;

  /** @param random numbers in [0, 1) */
  constructor(random: () => number, limitBytes: number = usualLimitBytes) {
    this.#random = random;
    this.#limitBytes = limitBytes;
  }

  /** From now on; frames that wait already go on as they were. */
  set effects(effects: Effects) {
    this.#effects = effects;
  }

  /**
   * Takes a frame in.
   *
   * @param frame is kept, and changed when it is corrupted.
   * @returns it, when it leaves at once; else it waits, or is lost because too many do.
   */
  take(frame: Buffer, nowMs: number): Buffer | undefined {
    const { latencyMs = 0, jitterMs = 0, reorder = 0, corrupt = 0 } = this.#effects;
    if (corrupt > 0 && this.#random() < corrupt) this.#turnBit(frame);
    if (reorder > 0 && this.#random() < reorder) return frame;
    const late = latencyMs + (jitterMs > 0 ? (this.#random() * 2 - 1) * jitterMs : 0);
    const isEmpty = this.#first === this.#frames.length;
    if (late <= 0 && isEmpty) return frame;
    if (this.#bytes + frame.length > this.#limitBytes) return undefined;
    // None overtakes the one before it, also when the latency was made shorter meanwhile.
    const dueMs = isEmpty ? nowMs + late : Math.max(nowMs + late, this.#lastDueMs);
    this.#lastDueMs = dueMs;
    this.#bytes += frame.length;
    this.#frames.push({ dueMs, frame });
    return undefined;
  }

  /** When the next one leaves, in milliseconds; undefined when none waits. */
  get nextMs(): number | undefined {
    return this.#frames[this.#first]?.dueMs;
  }

  /** Those that are due, in order. */
  *due(nowMs: number): Generator<Buffer> {
    for (;;) {
      const next = this.#frames[this.#first];
      if (next === undefined || next.dueMs > nowMs) break;
      this.#first += 1;
      this.#bytes -= next.frame.length;
      yield next.frame;
    }
    if (this.#first * 2 < this.#frames.length) return;
    this.#frames = this.#frames.slice(this.#first);
    this.#first = 0;
  }

  #turnBit(frame: Buffer): void {
    if (frame.length <= headerBytes) return;
    const at = headerBytes + Math.floor(this.#random() * (frame.length - headerBytes));
    frame.writeUInt8(frame.readUInt8(at) ^ (1 << Math.floor(this.#random() * 8)), at);
  }
}
