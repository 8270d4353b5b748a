/** How far something is that has many bytes. */
export type SnapshotProgress = {
  readonly bytes: bigint;
  /** Undefined as long as it is unknown. */
  readonly totalBytes: bigint | undefined;
  /** Of late. */
  readonly bytesPerSecond: number;
  /** At that rate. */
  readonly remainingSeconds: number | undefined;
};

/** Reports no more often than this. */
const reportMs = 100;
/** What was so long ago counts a third in the rate. */
const memoryMs = 2_000;

/** Counts bytes and reports them, not too often. */
export class ProgressMeter {
  readonly #report: ((progress: SnapshotProgress) => void) | undefined;
  readonly #now: () => number;
  #totalBytes: bigint | undefined;
  #bytes = 0;
  #reportedBytes = 0;
  #reportedAt: number;
  #rate: number | undefined;

  /** @param now a monotonic clock in milliseconds. */
  constructor(
    report: ((progress: SnapshotProgress) => void) | undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#report = report;
    this.#now = now;
    this.#reportedAt = now();
  }

  get bytes(): number {
    return this.#bytes;
  }

  total(bytes: bigint): void {
    this.#totalBytes = bytes;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#report !== undefined && this.#now() - this.#reportedAt >= reportMs) this.#tell();
  }

  /** Tells where it ended, however short ago it told. */
  end(): void {
    if (this.#report !== undefined) this.#tell();
  }

  #tell(): void {
    const now = this.#now();
    const passedMs = Math.max(now - this.#reportedAt, 1);
    const latest = ((this.#bytes - this.#reportedBytes) / passedMs) * 1000;
    const kept = this.#rate === undefined ? 0 : Math.exp(-passedMs / memoryMs);
    this.#rate = latest * (1 - kept) + (this.#rate ?? 0) * kept;
    this.#reportedAt = now;
    this.#reportedBytes = this.#bytes;
    const left =
      this.#totalBytes === undefined ? undefined : Math.max(0, Number(this.#totalBytes) - this.#bytes);
    const remainingSeconds =
      left === 0 ? 0 : this.#rate > 0 && left !== undefined ? left / this.#rate : undefined;
    this.#report?.({
      bytes: BigInt(this.#bytes),
      totalBytes: this.#totalBytes,
      bytesPerSecond: this.#rate,
      remainingSeconds,
    });
  }
}
