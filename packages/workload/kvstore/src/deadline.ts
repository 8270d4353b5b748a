/**
 * The end of a call's time, shared out over several members. Counted by a monotonic clock; nothing waits here, unlike in
 * `within`.
 */
export class Deadline {
  readonly #endMs: number;

  constructor(timeoutMs: number) {
    this.#endMs = performance.now() + timeoutMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#endMs - performance.now());
  }

  /** One of `parts` equal shares of what is left: a member that hangs takes no time from those that are asked after it. */
  share(parts: number): Deadline {
    return new Deadline(this.remainingMs / parts);
  }

  /** The same as the time of day that gRPC asks for, good for the moment. */
  toDate(): Date {
    return new Date(Date.now() + this.remainingMs);
  }
}
