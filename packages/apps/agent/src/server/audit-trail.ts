import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import type { Log } from '../log.ts';

/** Who did what, on what, and how it ended. */
export type AuditRecord = Readonly<Record<string, unknown>>;

export type AuditTrailOptions = {
  /** The directory of the trail, which need not be there; rejects while the node has no state. */
  readonly locate: () => Promise<string>;
  readonly log: Log;
  readonly now?: () => number;
  /** Of one file. */
  readonly maxBytes?: number;
  /** Files beside the one that is written. */
  readonly keep?: number;
};

/** Records that wait for the node to have a state. */
const maxWaiting = 1_000;
/** Max of records of anonymous callers in one window; the others are counted. */
const maxAnonymous = 30;
const windowMs = 60_000;
const name = 'audit.jsonl';

/**
 * The audit as files of its own: one JSON object per line, for root only. `audit.jsonl` is written; `audit.1.jsonl` and so on
 * are what it was before, the oldest goes. A line that a crash has cut is ended by the next one.
 */
export class AuditTrail {
  readonly #options: Required<AuditTrailOptions>;
  readonly #serial = new Serial();
  #waiting: string[] = [];
  #lost = 0;
  /** Records that are in a file. */
  written = 0;
  /** Records that were too many. */
  dropped = 0;
  #window = { beganMs: 0, written: 0, suppressed: 0 };
  #failure: string | undefined;

  constructor({ now = Date.now, maxBytes = 4 << 20, keep = 4, ...options }: AuditTrailOptions) {
    this.#options = { ...options, now, maxBytes, keep };
  }

  /** Writes as soon as it can; the log has the line already. */
  write(record: AuditRecord, isAnonymous: boolean): void {
    if (isAnonymous && !this.#admit()) return;
    const line = `${JSON.stringify({ time: new Date(this.#options.now()).toISOString(), ...record })}\n`;
    if (this.#waiting.length < maxWaiting) this.#waiting.push(line);
    else {
      this.#lost += 1;
      this.dropped += 1;
    }
    void this.flush();
  }

  /** Resolves when what was written so far is on the disk, or can not be. */
  async flush(): Promise<void> {
    await this.#serial.run(async () => {
      if (this.#waiting.length === 0) return;
      try {
        await this.#append(await this.#options.locate());
        this.#failure = undefined;
      } catch (error) {
        const code = codeOf(error) ?? 'none';
        if (code !== this.#failure) this.#options.log.warn({ code, err: error }, 'the audit is not written');
        this.#failure = code;
      }
    });
  }

  /** All callers are anonymous in maintenance: a flood of them must not push out what is worth keeping. */
  #admit(): boolean {
    const nowMs = this.#options.now();
    if (Math.abs(nowMs - this.#window.beganMs) >= windowMs) {
      const { suppressed } = this.#window;
      this.#window = { beganMs: nowMs, written: 0, suppressed: 0 };
      if (suppressed > 0) this.write({ action: 'suppressed', name: 'anonymous', count: suppressed }, false);
    }
    if (this.#window.written >= maxAnonymous) {
      this.#window.suppressed += 1;
      this.dropped += 1;
      return false;
    }
    this.#window.written += 1;
    return true;
  }

  async #append(directory: string): Promise<void> {
    await makeDirectory(directory);
    const lines = [...this.#waiting];
    const lost = this.#lost; // more may be lost while this is written
    const text = lines.join('') + (lost === 0 ? '' : `${JSON.stringify({ action: 'lost', count: lost })}\n`);
    const path = join(directory, name);
    let file = await openForOurselves(path);
    try {
      const { size } = await file.stat();
      if (size > 0 && size + text.length > this.#options.maxBytes) {
        await file.close();
        await this.#rotate(directory);
        file = await openForOurselves(path);
      }
      await appendWhole(file, text);
      this.#waiting = this.#waiting.slice(lines.length);
      this.written += lines.length;
      this.#lost -= lost;
    } finally {
      await file.close();
    }
  }

  /** From the oldest to the newest: after a crash in between one number is missing, and no record. */
  async #rotate(directory: string): Promise<void> {
    for (let number = this.#options.keep; number > 0; number -= 1) {
      const from = number === 1 ? name : `audit.${number - 1}.jsonl`;
      await rename(join(directory, from), join(directory, `audit.${number}.jsonl`)).catch(
        (error: unknown) => {
          if (codeOf(error) !== 'ENOENT') throw error;
        },
      );
    }
  }
}

function openForOurselves(path: string): Promise<FileHandle> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  return open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
}

/** All of it, or nothing: it is written again later, and no record must be there twice. */
async function appendWhole(file: FileHandle, text: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.appendFile((await isCut(file, size)) ? `\n${text}` : text);
    await file.datasync();
  } catch (error) {
    await file.truncate(size).catch(() => {});
    throw error;
  }
}

/** Whether the last line has no end. */
async function isCut(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}
