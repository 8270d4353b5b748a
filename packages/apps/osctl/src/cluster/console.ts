import { open, stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

import { earlierLogs, halfPutAway, type PlannedNode } from '@nodecore/clusters';
import { unlessGone } from '@nodecore/sys';

/** What a log was before: it is put away under another name, and nobody writes to it. */
type Earlier = {
  readonly path: string;
  readonly ino: number;
  /** Names come to be others'. */
  readonly id: string;
};

/** Of a file at once. */
const largestPieceBytes = 1 << 20;

/** Bytes by which a file is known again: a copy has another inode, and a new file may have the inode of one that is gone. */
const tailBytes = 1 << 16;

/**
 * The file of a console or of services, read on from where it was. It is put away when the machine is switched on anew, or when it is
 * full: then what was not read of it is read first, where it is now. Nothing comes twice; when more files were put away between two looks
 * than are kept, what is left is read, and {@link takeGap} says so.
 */
export class Console {
  readonly node: PlannedNode;
  readonly #path: string;
  /** How far the oldest file that is not read whole is read. */
  #at = 0;
  /** What was read of it last. */
  #tail: Buffer = Buffer.alloc(0);
  #hasGap = false;
  /** The end of a line that a gap follows. */
  #broken = '';
  /** The newest of those that were put away before. */
  #seen: string | undefined;
  #hasBegun = false;
  /** The file that was read last, by its inode; undefined when it was read whole. */
  #own: number | undefined;
  #isShort = false;
  #rest = '';
  #decoder = new StringDecoder('utf8');

  constructor(path: string, node: PlannedNode) {
    this.node = node;
    this.#path = path;
  }

  /** Lines that came since; the last one without its end when nothing follows. */
  async more(whole: boolean): Promise<readonly string[]> {
    this.#rest += await this.#read();
    const lines = this.#rest.split(/\r*\n/);
    this.#rest = lines.pop() ?? '';
    if (lines.length > 0 || !whole || this.#rest === '') return lines;
    const last = this.#rest;
    this.#rest = '';
    return [last];
  }

  /** Whether lines may be missing before those that came last. Once for each gap. */
  takeGap(): boolean {
    const hasGap = this.#hasGap;
    this.#hasGap = false;
    return hasGap;
  }

  async #read(): Promise<string> {
    if (!this.#hasBegun) this.#seen = (await this.#earlier())[0]?.id;
    this.#hasBegun = true;
    const now = await pieceOf(this.#path, this.#at);
    // After the piece was read: it belongs to what was read before when the file was not put away until then.
    const earlier = await this.#unread();
    if (earlier !== undefined) return await this.#readEarlier(earlier);
    if (now === undefined) return ''; // it was never switched on
    const isAnother = this.#own !== undefined && this.#own !== now.ino;
    // One that is put away just now is short before its copy has its name; when that does not come, somebody has emptied it.
    const isShort = now.size < this.#at;
    const wasShort = this.#isShort;
    this.#isShort = isShort;
    this.#own = now.ino;
    if (isAnother || (isShort && wasShort)) {
      this.#begin();
      return await this.#read();
    }
    return this.#take(now.bytes);
  }

  async #readEarlier({ path, ino, id }: Earlier): Promise<string> {
    const piece = await pieceOf(path, this.#at);
    if (piece?.ino !== ino) return await this.#read(); // it has another name by now
    const text = this.#broken + this.#take(piece.bytes);
    this.#broken = '';
    if (this.#at < piece.size) return text;
    this.#seen = id;
    this.#begin();
    this.#isShort = false;
    // A copy is of a file that goes on, maybe in the middle of a line; what follows a file that was renamed is another start.
    if (this.#own !== undefined && this.#own !== ino) return text === '' ? await this.#read() : text;
    this.#own = undefined;
    const end = text + this.#decoder.end();
    if (end === '' && this.#rest === '') return await this.#read();
    return end.endsWith('\n') ? end : `${end}\n`;
  }

  /** The oldest that was put away since, and is not read whole. */
  async #unread(): Promise<Earlier | undefined> {
    const all = await this.#earlier();
    const seen = all.findIndex(({ id }) => id === this.#seen);
    const oldest = (seen === -1 ? all : all.slice(0, seen)).at(-1);
    if (oldest === undefined || seen !== -1) return oldest;
    const isBegun = await this.#isBegun(oldest);
    if (isBegun === undefined) return await this.#unread();
    if (!isBegun) await this.#skipTo(oldest);
    return oldest;
  }

  /** Whether it is the file that was read last, or a copy of it. Undefined when it has another name by now. */
  async #isBegun({ path, ino }: Earlier): Promise<boolean | undefined> {
    if (this.#at === 0) return this.#seen === undefined || ino === this.#own;
    const from = this.#at - this.#tail.length;
    const piece = await pieceOf(path, from, this.#tail.length);
    if (piece?.ino !== ino) return undefined;
    const { length } = piece.bytes;
    // A copy may have less than was read: what was written while it was made. What began like it and is shorter is another start.
    const isCopy = ino !== this.#own && (await unlessGone(stat(this.#path)))?.ino === this.#own;
    if (length === 0 || (length < this.#tail.length && !isCopy)) return false;
    return this.#tail.subarray(0, length).equals(piece.bytes);
  }

  /** So many were put away that what follows what was read is gone. */
  async #skipTo({ ino }: Earlier): Promise<void> {
    this.#hasGap = true;
    const end = this.#decoder.end();
    if (this.#rest !== '' || end !== '') this.#broken ||= `${end}\n`;
    this.#begin();
    // Of a file that goes on this is a copy, which may end in the middle of a line.
    if ((await unlessGone(stat(this.#path)))?.ino !== this.#own) this.#own = ino;
  }

  #begin(): void {
    this.#at = 0;
    this.#tail = Buffer.alloc(0);
  }

  #take(bytes: Uint8Array): string {
    if (bytes.length === 0) return '';
    this.#at += bytes.length;
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-tailBytes)]).subarray(-tailBytes);
    return this.#decoder.write(bytes);
  }

  /** The newest first. */
  async #earlier(): Promise<readonly Earlier[]> {
    const found: Earlier[] = [];
    const size = (await unlessGone(stat(this.#path)))?.size ?? 0;
    const half = halfPutAway(this.#path);
    // In this order none is missed that gets the next name meanwhile; it may come twice.
    for (const path of [half, ...earlierLogs(this.#path)]) {
      const it = await unlessGone(stat(path));
      if (it === undefined || (path === half && it.size <= size)) continue; // it may not be whole yet
      const id = `${it.ino} ${it.mtimeMs}`;
      if (!found.some((other) => other.id === id)) found.push({ path, ino: it.ino, id });
    }
    return found;
  }
}

async function pieceOf(
  path: string,
  at: number,
  largestBytes: number = largestPieceBytes,
): Promise<{ readonly ino: number; readonly size: number; readonly bytes: Uint8Array } | undefined> {
  await using file = await unlessGone(open(path, 'r'));
  if (file === undefined) return undefined;
  const { ino, size } = await file.stat();
  const bytes = Buffer.alloc(Math.max(0, Math.min(size - at, largestBytes)));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
  return { ino, size, bytes: bytes.subarray(0, bytesRead) };
}
