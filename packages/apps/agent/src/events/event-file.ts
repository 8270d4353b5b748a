import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { codeOf } from '@nodecore/sys';

import type { NodeEvent } from './event.ts';
import { isEventId } from './event-ids.ts';

/** A file that is larger gives its place to a new one; the one before is kept beside it. */
const defaultMaxBytes = 256 << 10;

/** Where a crash may have torn something: what is read, and how far it is whole. */
type Read = { readonly events: readonly NodeEvent[]; readonly wholeBytes: number; readonly isWhole: boolean };

/**
 * Events that outlive the boot: lines with a checksum in front, in two files that take turns. What a crash has torn is cut off.
 * Needs a directory of the node's own.
 */
export class EventFile {
  readonly #path: string;
  readonly #former: string;
  readonly #directory: string;
  readonly #maxBytes: number;
  /** How far the file is whole. */
  #bytes = 0;

  private constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#path = join(directory, 'events.log');
    this.#former = join(directory, 'events.former.log');
    this.#maxBytes = maxBytes;
  }

  /** Opens what there is, and cuts off what is torn. @param maxBytes of each of the two files. */
  static async open(
    directory: string,
    maxBytes: number = defaultMaxBytes,
  ): Promise<{ readonly file: EventFile; readonly past: readonly NodeEvent[] }> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = new EventFile(directory, maxBytes);
    const [former, present] = [await file.#read(file.#former), await file.#read(file.#path)];
    file.#bytes = present.wholeBytes;
    if (!present.isWhole) await file.#cut();
    return { file, past: [...former.events, ...present.events] };
  }

  /** Adds events; they survive a power cut when this resolves. When it rejects, none of them is there. */
  async append(events: readonly NodeEvent[]): Promise<void> {
    if (events.length === 0) return;
    const bytes = Buffer.from(events.map(lineOf).join(''));
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#maxBytes) await this.#turn();
    await using file = await this.#open();
    try {
      await writeWhole(file, bytes, this.#bytes);
      await file.datasync();
      this.#bytes += bytes.length;
    } catch (error) {
      await file.truncate(this.#bytes).catch(() => {}); // the next opening cuts it off
      throw error;
    }
  }

  /** The present file becomes the former one. */
  async #turn(): Promise<void> {
    await rename(this.#path, this.#former);
    this.#bytes = 0;
    await using directory = await open(this.#directory, 'r');
    await directory.sync();
  }

  async #cut(): Promise<void> {
    await using file = await this.#open();
    await file.truncate(this.#bytes);
    await file.datasync();
  }

  #open(): Promise<FileHandle> {
    const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
    return open(this.#path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  }

  async #read(path: string): Promise<Read> {
    try {
      await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      const { size } = await file.stat();
      // No file of ours is larger; the rest of one is nobody's.
      const bytes = Buffer.alloc(Math.min(size, this.#maxBytes + longestBatch));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      return readLines(bytes.subarray(0, bytesRead), size);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { events: [], wholeBytes: 0, isWhole: true };
      throw error;
    }
  }
}

/** A first batch may be larger than a file. */
const longestBatch = 4 << 20;

/** Lines with a wrong checksum in the middle are left out, and counted as lost by the next one; at the end they are torn. */
function readLines(bytes: Buffer, size: number): Read {
  const events: NodeEvent[] = [];
  let [at, wholeBytes, lost] = [0, 0, 0];
  for (;;) {
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) break;
    const event = eventOf(bytes.toString('utf8', at, end));
    at = end + 1;
    if (event === undefined) {
      lost += 1;
      continue;
    }
    events.push(lost === 0 ? event : { ...event, lost: lost + (event.lost ?? 0) });
    [wholeBytes, lost] = [at, 0];
  }
  return { events, wholeBytes, isWhole: wholeBytes === size };
}

function lineOf(event: NodeEvent): string {
  const json = JSON.stringify(event);
  return `${checksumOf(json)} ${json}\n`;
}

function eventOf(line: string): NodeEvent | undefined {
  const json = line.slice(9);
  if (line.slice(0, 9) !== `${checksumOf(json)} `) return undefined;
  try {
    const event = JSON.parse(json) as NodeEvent;
    const { id, actorId, bootId, timeMs, data } = event;
    const isEvent = isEventId(id) && [actorId, bootId, data?.type].every((each) => typeof each === 'string');
    return isEvent && Number.isFinite(timeMs) ? event : undefined;
  } catch {
    return undefined;
  }
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
