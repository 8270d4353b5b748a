import { constants, type FileHandle, open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

import { OutputError } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys';

const deflate = promisify(deflateRaw);

/** Deflate is understood by every reader since 1993. */
const versionNeeded = 20;
const deflated = 8;
/** Names are UTF-8. */
const flags = 0x0800;
/** Made on Unix: the upper half of the attributes is a mode. */
const madeBy = (3 << 8) | versionNeeded;
const ownerOnly = (0o100_600 << 16) >>> 0;
/** Beyond it readers need an extension of the format. */
const largest = 0xffff_ffff;
const mostEntries = 0xffff;

/**
 * A zip archive, entry after entry, in a new file for its owner only. What was not finished is no archive, and {@link abort} takes
 * it away.
 */
export class ZipWriter {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #time: Buffer;
  readonly #directory: Buffer[] = [];
  #offset = 0;

  private constructor(path: string, file: FileHandle, at: Date) {
    this.path = path;
    this.#file = file;
    this.#time = dosTime(at);
  }

  /** @throws {OutputError} for a file that is there, also as a link to nowhere, or can't be made. */
  static async create(path: string, at: Date = new Date()): Promise<ZipWriter> {
    const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
    try {
      return new ZipWriter(path, await open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600), at);
    } catch (error) {
      throw new OutputError(path, codeOf(error) ?? String(error));
    }
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#offset;
  }

  /** Adds a file. One call at a time. @throws {OutputError} */
  async add(name: string, content: Uint8Array): Promise<void> {
    const data = await deflate(content);
    const encoded = Buffer.from(name);
    if (this.#directory.length === mostEntries || this.#offset + data.length + encoded.length > largest / 2)
      throw new OutputError(this.path, 'EFBIG');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(versionNeeded, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(deflated, 4);
    this.#time.copy(common, 6);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(encoded.length, 22);
    const after = Buffer.alloc(14);
    after.writeUInt32LE(ownerOnly, 6);
    after.writeUInt32LE(this.#offset, 10);
    this.#directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), word(madeBy), common, after, encoded]));
    await this.#write(Buffer.concat([Buffer.from('PK\x03\x04'), common, encoded, data]));
  }

  /** Ends the archive and has it on the disk. @throws {OutputError} */
  async finish(): Promise<void> {
    const directory = Buffer.concat(this.#directory);
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 'latin1');
    end.writeUInt16LE(this.#directory.length, 8);
    end.writeUInt16LE(this.#directory.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#offset, 16);
    await this.#write(directory);
    await this.#write(end);
    await this.#file.sync().catch((error: unknown) => this.#fail(error));
    await this.#file.close();
  }

  /** Takes the file away. */
  async abort(): Promise<void> {
    await this.#file.close().catch(() => {});
    await rm(this.path, { force: true });
  }

  async #write(bytes: Buffer): Promise<void> {
    try {
      await this.#file.appendFile(bytes);
    } catch (error) {
      this.#fail(error);
    }
    this.#offset += bytes.length;
  }

  #fail(error: unknown): never {
    throw new OutputError(this.path, codeOf(error) ?? String(error));
  }
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** Time, then date, in UTC: two seconds are the smallest step, and 1980 the first year. */
function dosTime(at: Date): Buffer {
  const bytes = Buffer.alloc(4);
  const [hours, minutes, seconds] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
  bytes.writeUInt16LE((hours << 11) | (minutes << 5) | (seconds >> 1), 0);
  const years = Math.max(0, at.getUTCFullYear() - 1980);
  bytes.writeUInt16LE((years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(), 2);
  return bytes;
}
