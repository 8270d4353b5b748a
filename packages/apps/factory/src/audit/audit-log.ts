import { codeOf } from '@nodecore/sys';

import { LogFiles, type LogFilesOptions } from './log-files.ts';

/** One request, as one line of JSON. Never has a credential, and nothing of a body. */
export type AuditRecord = {
  /** When the request came, RFC 3339. */
  readonly time: string;
  /** As `X-Request-ID` of the answer. */
  readonly request_id: string;
  /** Empty where nobody was let in, or nobody is asked who they are. */
  readonly username: string;
  readonly client_ip: string;
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** 499 when who asked went away before the answer had gone. */
  readonly status: number;
  /** Seconds until the answer had gone. */
  readonly duration: number;
  /** Code of the error that was answered; empty for none. */
  readonly error: string;
};

/** How many records wait for a disk that is slow. */
const maxQueued = 4_096;
/** How many bytes go into one write. */
const writeBytes = 64 * 1_024;

/**
 * The record of all requests. Writing never waits and never fails: a request ends as it would without. What can not be written is counted,
 * said, and told of in the log itself once it can be written again.
 */
export class AuditLog implements AsyncDisposable {
  readonly #files: LogFiles;
  readonly #warn: (line: string) => void;
  readonly #queued: string[] = [];
  #draining: Promise<void> | undefined;
  #written = 0;
  #lost = 0;
  /** Records that the log does not know yet to be missing. */
  #gap = 0;
  #isFailing = false;

  private constructor(files: LogFiles, warn: (line: string) => void) {
    this.#files = files;
    this.#warn = warn;
  }

  /**
   * @param warn told when records are lost, and when they are no longer.
   * @throws {FactoryError} with `ERR_FACTORY_SETUP` for what can't be opened, or is no file.
   */
  static async open(options: LogFilesOptions, warn: (line: string) => void): Promise<AuditLog> {
    return new AuditLog(await LogFiles.open(options, warn), warn);
  }

  /** Records that are on the file system. */
  get written(): number {
    return this.#written;
  }

  /** Records that are nowhere. */
  get lost(): number {
    return this.#lost;
  }

  write(record: AuditRecord): void {
    if (this.#queued.length >= maxQueued) this.#lose(1, 'the disk is too slow');
    else this.#queued.push(JSON.stringify(record));
    this.#draining ??= this.#drain();
  }

  /** Resolves when all that was recorded is written, or lost. */
  async flush(): Promise<void> {
    await this.#draining;
  }

  /** Writes what is left. Twice is fine. */
  async close(): Promise<void> {
    await this.flush();
    await this.#files.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #drain(): Promise<void> {
    while (this.#queued.length > 0) {
      const lines = this.#next();
      const gap = this.#gap;
      try {
        await this.#files.append(`${[...gapLines(gap), ...lines].join('\n')}\n`);
        this.#written += lines.length;
        this.#gap -= gap;
        if (this.#isFailing) this.#warn(`audit: written again; ${gap} records were lost`);
        this.#isFailing = false;
      } catch (error) {
        this.#lose(lines.length, codeOf(error) ?? 'can not be written');
      }
    }
    this.#draining = undefined;
  }

  /** As many as go into one write; one at least. */
  #next(): readonly string[] {
    let bytes = 0;
    let count = 0;
    for (const line of this.#queued) {
      bytes += Buffer.byteLength(line) + 1;
      if (count > 0 && bytes > writeBytes) break;
      count += 1;
    }
    return this.#queued.splice(0, count);
  }

  #lose(count: number, why: string): void {
    this.#lost += count;
    this.#gap += count;
    if (!this.#isFailing)
      this.#warn(`audit: ${this.#files.path}: ${why}: records are lost until it is better`);
    this.#isFailing = true;
  }
}

/** What the log says of records that it does not have. */
function gapLines(lost: number): readonly string[] {
  if (lost === 0) return [];
  return [JSON.stringify({ time: new Date().toISOString(), error: 'ERR_FACTORY_AUDIT_LOST', lost })];
}
