import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { codeOf, ioctl } from '@nodecore/sys';

import type { DeviceCalls } from './device-calls.ts';
import { ioSize } from '../facts/disk-facts.ts';
import { BlockError } from '../errors.ts';
import { Sysfs } from '../facts/sysfs.ts';

export type DeviceFileOptions = {
  /** Also open for writing; each write is on the medium before it returns (O_DSYNC), in the order of the calls. */
  readonly write?: boolean;
  /** Be the only one: fails with `ERR_BLOCK_BUSY` while the device is mounted, swapped to or stacked upon. */
  readonly exclusive?: boolean;
  readonly sysfs?: Sysfs;
  /** Watches over each call on it. */
  readonly calls?: DeviceCalls | undefined;
};

/** What a device file is to the kernel; a plain file has none of it. */
type KernelDevice = {
  /** `nvme0n1p2` */
  readonly id: string;
  /** The disk: `nvme0n1`, which is the device itself when it is no partition. */
  readonly diskId: string;
  /** Major and minor number, `259:2`. */
  readonly number: string;
};

const BLKFLSBUF = 0x1261;
const chunkBytes = 1 << 20;
/** Never written to. */
const zeros = Buffer.alloc(chunkBytes);

/** An open block device, or a plain file that holds the image of one. */
export class DeviceFile implements AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: bigint;
  readonly sectorSize: number;
  readonly ioSize: number;
  /** Undefined for a plain file. */
  readonly kernel: KernelDevice | undefined;
  readonly sysfs: Sysfs;
  readonly calls: DeviceCalls | undefined;
  readonly #handle: FileHandle;

  private constructor(
    path: string,
    handle: FileHandle,
    facts: Pick<DeviceFile, 'sizeBytes' | 'sectorSize' | 'ioSize' | 'kernel'>,
    { sysfs, calls }: Pick<DeviceFile, 'sysfs' | 'calls'>,
  ) {
    this.path = path;
    this.#handle = handle;
    this.sizeBytes = facts.sizeBytes;
    this.sectorSize = facts.sectorSize;
    this.ioSize = facts.ioSize;
    this.kernel = facts.kernel;
    this.sysfs = sysfs;
    this.calls = calls;
  }

  /** @throws {BlockError} `ERR_BLOCK_NOT_FOUND`, `ERR_BLOCK_BUSY`, `ERR_BLOCK_FAILED`. */
  static async open(path: string, options: DeviceFileOptions = {}): Promise<DeviceFile> {
    const { write = false, exclusive = false, sysfs = new Sysfs(), calls } = options;
    const flags =
      (write ? constants.O_RDWR | constants.O_DSYNC : constants.O_RDONLY) |
      (exclusive ? constants.O_EXCL : 0) |
      constants.O_NONBLOCK;
    const handle = await attempt('open', path, () => open(path, flags), calls);
    try {
      return new DeviceFile(path, handle, await readFacts(path, handle, sysfs), { sysfs, calls });
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get fd(): number {
    return this.#handle.fd;
  }

  get isPartition(): boolean {
    return this.kernel !== undefined && this.kernel.id !== this.kernel.diskId;
  }

  /**
   * Forgets what the kernel has cached, so that the next read comes from the medium. The cache of a partition and that
   * of its disk don't know of each other: without this a read may see what is no longer there.
   */
  async dropCache(): Promise<void> {
    if (this.kernel === undefined) return;
    await this.#attempt('BLKFLSBUF', this.path, () =>
      ioctl({ fd: this.fd, path: this.path, name: 'BLKFLSBUF' }, BLKFLSBUF),
    );
  }

  async read(offset: bigint, sizeBytes: number): Promise<Buffer> {
    const buffer = Buffer.alloc(sizeBytes);
    let done = 0;
    while (done < sizeBytes) {
      const position = offset + BigInt(done);
      const { bytesRead } = await this.#attempt('read', `${this.path} at byte ${position}`, () =>
        this.#handle.read({ buffer, offset: done, length: sizeBytes - done, position }),
      );
      if (bytesRead === 0)
        throw new BlockError('ERR_BLOCK_FAILED', this.path, `read ${this.path}: it ends at byte ${position}`);
      done += bytesRead;
    }
    return buffer;
  }

  /**
   * Reads, looks, and gives the memory back at once: the collector hardly sees what is outside its heap, and would keep it for as
   * long as nothing else happens.
   *
   * @param look at bytes that are gone when it returns.
   */
  async inspect<T>(offset: bigint, sizeBytes: number, look: (bytes: Buffer) => T): Promise<T> {
    const bytes = await this.read(offset, sizeBytes);
    try {
      return look(bytes);
    } finally {
      giveBack(bytes);
    }
  }

  async write(offset: bigint, bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const position = Number(offset) + done; // exact: no device reaches 2^53 bytes
      const { bytesWritten } = await this.#attempt('write', `${this.path} at byte ${position}`, () =>
        this.#handle.write(bytes, done, bytes.length - done, position),
      );
      done += bytesWritten;
    }
  }

  /**
   * Writes the same bytes at several places, in any order. Durable when it resolves, with one flush for all of them, where
   * {@link write} has one for each.
   */
  async writeEach(offsets: readonly bigint[], bytes: Buffer): Promise<void> {
    if (offsets.length === 0) return;
    const flags = constants.O_WRONLY | constants.O_NONBLOCK;
    // Of the open device itself, whatever has its name by now.
    const again = await this.#attempt('open', this.path, () => open(`/proc/self/fd/${this.fd}`, flags));
    try {
      for (const offset of offsets) {
        const { bytesWritten } = await this.#attempt('write', `${this.path} at byte ${offset}`, () =>
          again.write(bytes, 0, bytes.length, Number(offset)),
        );
        if (bytesWritten < bytes.length)
          throw new BlockError(
            'ERR_BLOCK_FAILED',
            this.path,
            `write ${this.path}: it ends behind byte ${offset}`,
          );
      }
      await this.#attempt('fsync', this.path, () => again.sync());
    } finally {
      await again.close();
    }
  }

  /** Writes zeros, positioned and durable. */
  async zero(offset: bigint, sizeBytes: bigint): Promise<void> {
    for (let at = offset; at < offset + sizeBytes; at += BigInt(chunkBytes)) {
      const left = offset + sizeBytes - at;
      await this.write(at, left < BigInt(chunkBytes) ? zeros.subarray(0, Number(left)) : zeros);
    }
  }

  async sync(): Promise<void> {
    await this.#attempt('fsync', this.path, () => this.#handle.sync());
  }

  async close(): Promise<void> {
    await this.watched(() => this.#handle.close());
  }

  /** Runs a call on the device's descriptor; readers with a deadline hear when it hangs. */
  watched<T>(call: () => Promise<T>): Promise<T> {
    return this.calls === undefined ? call() : this.calls.run(call);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #attempt<T>(call: string, object: string, run: () => Promise<T>): Promise<T> {
    return attempt(call, object, run, this.calls);
  }
}

/** Frees what {@link DeviceFile.read} has returned; it has no bytes afterwards. */
export function giveBack(bytes: Buffer): void {
  (bytes.buffer as ArrayBuffer).transfer(0);
}

async function readFacts(path: string, handle: FileHandle, sysfs: Sysfs) {
  const stat = await handle.stat({ bigint: true });
  if (stat.isFile()) return { sizeBytes: stat.size, sectorSize: 512, ioSize: 512, kernel: undefined };
  if (!stat.isBlockDevice()) {
    throw new BlockError('ERR_BLOCK_NOT_FOUND', path, `${path} is neither a block device nor a file`);
  }
  const number = deviceNumber(stat.rdev);
  const directory = sysfs.resolve('dev/block', number);
  if (directory === undefined) {
    throw new BlockError('ERR_BLOCK_NOT_FOUND', path, `${path}: the kernel has no block device ${number}`);
  }
  const id = basename(directory);
  const diskId =
    sysfs.text('dev/block', number, 'partition') === undefined ? id : basename(dirname(directory));
  return {
    sizeBytes: (sysfs.number('dev/block', number, 'size') ?? 0n) * 512n,
    sectorSize: Number(sysfs.number('block', diskId, 'queue', 'logical_block_size') ?? 512n),
    ioSize: ioSize(sysfs, `block/${diskId}`),
    kernel: { id, diskId, number },
  };
}

/** makedev(3): the minor number's upper bits are above the major number's lower ones. */
export function deviceNumber(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}

async function attempt<T>(
  call: string,
  object: string,
  run: () => Promise<T>,
  calls: DeviceCalls | undefined,
): Promise<T> {
  try {
    return await (calls === undefined ? run() : calls.run(run));
  } catch (error) {
    const errno = errnoOf(error);
    throw new BlockError(
      codeFor(errno),
      object.split(' at byte ')[0] ?? object,
      `${call} ${object}: ${errno}`,
      {
        errno,
        cause: error,
      },
    );
  }
}

function errnoOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'errno' in error && typeof error.errno === 'string') {
    return error.errno;
  }
  return codeOf(error) ?? String(error);
}

function codeFor(errno: string): 'ERR_BLOCK_NOT_FOUND' | 'ERR_BLOCK_BUSY' | 'ERR_BLOCK_FAILED' {
  if (errno === 'ENOENT' || errno === 'ENXIO' || errno === 'ENODEV' || errno === 'ENOMEDIUM')
    return 'ERR_BLOCK_NOT_FOUND';
  return errno === 'EBUSY' ? 'ERR_BLOCK_BUSY' : 'ERR_BLOCK_FAILED';
}
