import { pino, type Logger } from 'pino';

import type { LineSink } from './line-file.ts';
import type { Outcome } from './outcome.ts';

/** What is kept of a call. Neither keys nor blobs. */
export type AuditRecord = {
  readonly operation: 'seal' | 'unseal';
  readonly outcome: Outcome;
  /** Address of the caller. */
  readonly peer: string;
  /** Of the caller's certificate; absent without one. */
  readonly subject: string | undefined;
  /** As it was asked for, cut to 64 characters. */
  readonly node: string;
  readonly volume: string;
  /** Id of the ring key; absent when it did not come to one. */
  readonly key: string | undefined;
  /** The key is on its way out: this node needs a new seal before it is removed. */
  readonly retired: boolean | undefined;
  /** Calls of this caller that were refused without a line of their own since the last one that was not. */
  readonly refusedBefore: number | undefined;
};

/** One JSON line per call, with its time. */
export class Audit {
  readonly #sink: LineSink;
  readonly #log: Logger;

  constructor(sink: LineSink, now: () => number) {
    this.#sink = sink;
    this.#log = pino(
      {
        base: null,
        timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
        formatters: { level: () => ({ type: 'audit' }) },
      },
      sink,
    );
  }

  /** Resolves when the line is written. No answer goes out before. */
  async record(record: AuditRecord): Promise<void> {
    this.#log.info(record);
    await this.#sink.written();
  }
}
