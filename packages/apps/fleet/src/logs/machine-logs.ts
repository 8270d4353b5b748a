import { type Clock, Signal, TokenBucket } from '@nodecore/waiting';

/** What is kept of the log of one machine. */
const maxLines = 5_000;
const maxBytes = 2 << 20;
/** A machine that writes more loses lines, and is told so in its log. */
const rate = { burst: 5_000, perSecond: 500 };
/** Machines whose log is kept, also of those that are gone. */
const maxMachines = 10_000;

type Log = {
  readonly lines: Buffer[];
  /** The number of the first line that is kept. */
  first: number;
  sizeBytes: number;
  dropped: number;
  readonly bucket: TokenBucket;
  readonly changed: Signal;
};

/** The newest lines of each machine's log, in memory. */
export class MachineLogs {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logs = new Map<string, Log>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Keeps a line, without its end; too many at once are dropped and counted. */
  write(machine: string, line: Buffer): void {
    const log = this.#of(machine);
    if (!log.bucket.take(this.#clock.now())) {
      log.dropped += 1;
      return;
    }
    if (log.dropped > 0) push(log, Buffer.from(`(${log.dropped} lines are lost: too many at once)`));
    log.dropped = 0;
    push(log, Buffer.from(line)); // a copy: the line is a part of a larger buffer
    log.changed.notify();
  }

  /** The last lines that are kept, each with its end, and those that come when they are followed, until the signal fires. */
  async *read(
    machine: string,
    {
      follow,
      tail,
      signal,
    }: { readonly follow: boolean; readonly tail: number; readonly signal: AbortSignal },
  ): AsyncGenerator<Buffer, void, undefined> {
    const log = this.#of(machine);
    let next = Math.max(log.first, log.first + log.lines.length - tail);
    for (;;) {
      next = Math.max(next, log.first);
      const batch = log.lines.slice(next - log.first, next - log.first + 64);
      next += batch.length;
      if (batch.length > 0) yield Buffer.concat(batch.flatMap((line) => [line, lineEnd]));
      else if (!follow || !(await more(log, signal))) return;
      if (signal.aborted) return;
    }
  }

  /** Of a machine that the fleet has forgotten. */
  forget(machine: string): void {
    this.#logs.delete(machine);
  }

  #of(machine: string): Log {
    const known = this.#logs.get(machine);
    if (known !== undefined) return known;
    const oldest = this.#logs.keys().next();
    if (this.#logs.size >= maxMachines && oldest.done !== true) this.#logs.delete(oldest.value);
    const bucket = new TokenBucket(rate, this.#clock.now());
    const made = { lines: [], first: 0, sizeBytes: 0, dropped: 0, bucket, changed: new Signal() };
    this.#logs.set(machine, made);
    return made;
  }
}

const lineEnd = Buffer.from('\n');

function push(log: Log, line: Buffer): void {
  log.lines.push(line);
  log.sizeBytes += line.length;
  while (log.lines.length > maxLines || log.sizeBytes > maxBytes) {
    log.sizeBytes -= log.lines.shift()?.length ?? 0;
    log.first += 1;
  }
}

async function more({ changed }: Log, signal: AbortSignal): Promise<boolean> {
  try {
    await changed.next(signal);
    return true;
  } catch {
    return false;
  }
}
