type Level = 'info' | 'warn';
type Fields = Readonly<Record<string, unknown>>;
/** Where lines go: a log, or what takes the same. */
type Lines = Readonly<Record<Level, (fields: Fields, message: string) => void>>;
type Kind = {
  readonly level: Level;
  readonly message: string;
  readonly fields: Fields;
  /** Of those that are counted, the newest. */
  requestIds: string[];
  count: number;
  maxMs: number;
};

/** How long lines of one kind are gathered. */
const gatherMs = 10_000;
/** So many ids of counted lines are told: somebody may look for one of them. */
const maxRequestIds = 16;
/** Max of kinds that are counted apart at once; lines of further kinds are counted together. */
const maxKinds = 256;

/**
 * Lines that callers cause, and could cause without end: the first of a kind is written at once, the others are counted, and
 * one line every ten seconds says how many there were.
 */
export class RepeatedLines {
  readonly #log: Lines;
  readonly #kinds = new Map<string, Kind>();
  #rest = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Lines) {
    this.#log = log;
  }

  /**
   * @param kind what makes lines alike; `fields` are those of the first.
   * @param durationMs of the counted ones the longest is told.
   */
  write(level: Level, message: string, kind: string, fields: Fields, durationMs = 0): void {
    this.#timer ??= setTimeout(() => this.#tell(), gatherMs).unref();
    const known = this.#kinds.get(kind);
    if (known !== undefined) {
      known.count += 1;
      known.maxMs = Math.max(known.maxMs, durationMs);
      const { requestId } = fields;
      if (level === 'warn' && typeof requestId === 'string')
        known.requestIds = [...known.requestIds, requestId].slice(-maxRequestIds);
    } else if (this.#kinds.size >= maxKinds) {
      this.#rest += 1;
    } else {
      this.#kinds.set(kind, { level, message, fields, requestIds: [], count: 0, maxMs: 0 });
      this.#log[level](fields, message);
    }
  }

  /** Writes what was counted, and counts on. */
  flush(): void {
    for (const [key, kind] of this.#kinds) {
      const { level, message, fields, requestIds, count, maxMs } = kind;
      if (count === 0) {
        this.#kinds.delete(key); // quiet for a whole turn: its next line is a first one
        continue;
      }
      const { durationMs, requestId: _first, ...rest } = fields;
      const longest = durationMs === undefined ? {} : { maxMs };
      const ids = requestIds.length === 0 ? {} : { requestIds };
      this.#log[level]({ ...rest, ...longest, ...ids, repeated: count, withinMs: gatherMs }, message);
      Object.assign(kind, { requestIds: [], count: 0, maxMs: 0 });
    }
    if (this.#rest > 0) this.#log.warn({ repeated: this.#rest, withinMs: gatherMs }, 'lines of other kinds');
    this.#rest = 0;
  }

  #tell(): void {
    this.#timer = undefined;
    this.flush();
    if (this.#kinds.size > 0) this.#timer = setTimeout(() => this.#tell(), gatherMs).unref();
  }

  /** Writes the rest. */
  close(): void {
    clearTimeout(this.#timer);
    this.flush();
  }
}
