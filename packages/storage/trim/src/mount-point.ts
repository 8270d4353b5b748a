import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';

import { type Mount, mounts } from '@nodecore/block';
import { ioctl, SystemCallError } from '@nodecore/sys';

import { readChunks } from './btrfs-chunks.ts';
import type { LiveMount } from './eligibility.ts';
import { MountDirectory } from './mount-directory.ts';
import { TrimError, trimError } from './errors.ts';
import type { Layout, Range } from './progression.ts';
import { readStack } from './stack.ts';

/** _IOWR('X', 121, struct fstrim_range), the same on x86-64 and arm64. */
const FITRIM = 0xc0185879;
const everything = (1n << 64n) - 1n;

/** A mount, as it was when it was looked up: what is mounted there later is another one, and is not touched. */
export class MountPoint {
  readonly target: string;
  readonly live: LiveMount;
  readonly #mount: Mount;
  /** st_dev of the directory, told by the first range. The kernel gives a mount's id again once it is free. */
  #device: bigint | undefined;

  private constructor(target: string, mount: Mount, live: LiveMount) {
    this.target = target;
    this.live = live;
    this.#mount = mount;
  }

  /** What is mounted on a directory now, on top; undefined when nothing is. */
  static async find(target: string): Promise<MountPoint | undefined> {
    const path = await realpath(target).catch(() => undefined);
    const mount = (await mounts.list()).findLast((each) => each.target === path);
    if (path === undefined || mount === undefined) return undefined;
    const number = await blockDeviceOf(mount);
    const { type: filesystem, options, superOptions } = mount;
    const readOnly = options.includes('ro') || superOptions.includes('ro');
    const stack = number === undefined ? undefined : readStack(number);
    return new MountPoint(path, mount, { filesystem, readOnly, stack });
  }

  /** Names the mount: `36 254:1`. Another mount of the same device has another one. */
  get identity(): string {
    return `${this.#mount.id} ${this.#mount.deviceNumber}`;
  }

  /**
   * Discards what is free in a range (FITRIM). Needs CAP_SYS_ADMIN. The call runs on a pool thread, can't be interrupted,
   * and keeps the filesystem from being unmounted; between ranges nothing does.
   *
   * @param range undefined once its start lies behind the end of the filesystem.
   * @returns bytes, as the filesystem counts them: xfs reports what it looked at, not what it discarded.
   * @throws {TrimError} before anything is done, when the target is not this mount any more.
   */
  async discard(range: Range): Promise<bigint | undefined> {
    using directory = await this.#open();
    const words = new BigUint64Array([range.start, range.length ?? everything, 0n]);
    const call = ioctl(
      { fd: directory.fd, path: this.target, name: 'FITRIM' },
      FITRIM,
      new Uint8Array(words.buffer),
    );
    try {
      await this.#translated(call);
    } catch (error) {
      // The device may be larger than the filesystem on it.
      if (error instanceof TrimError && error.errno === 'EINVAL' && range.start > 0n) return undefined;
      throw error;
    }
    return words[1] ?? 0n;
  }

  async #translated<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof SystemCallError)) throw error;
      throw trimError(this.target, error.syscall, error.errno, error);
    }
  }

  /** The range to discard from, in addresses of the filesystem. Needs CAP_SYS_ADMIN on btrfs. */
  async layout(): Promise<Layout> {
    if (this.live.filesystem !== 'btrfs') return { totalBytes: this.live.stack?.sizeBytes ?? 0n };
    using directory = await this.#open();
    const pieces = await this.#translated(readChunks({ fd: directory.fd, path: this.target, name: '' }));
    return { totalBytes: pieces.reduce((sum, { length }) => sum + length, 0n), pieces };
  }

  /** An unmounted path is the directory of the filesystem above, which FITRIM would trim instead. */
  async #open(): Promise<MountDirectory> {
    using opened = new DisposableStack();
    const directory = opened.use(await MountDirectory.open(this.target));
    const { device, mountId } = directory;
    const isOurs =
      mountId === this.#mount.id && device === (this.#device ?? device) && this.#hasNumber(device);
    if (!isOurs)
      throw new TrimError('ERR_TRIM_NOT_MOUNTED', this.target, 'something else is mounted there now');
    this.#device = device;
    opened.move();
    return directory;
  }

  /** btrfs gives each subvolume a device number of its own, below major 0. */
  #hasNumber(device: bigint): boolean {
    const number = deviceNumber(device);
    return number.startsWith('0:') || number === this.#mount.deviceNumber;
  }
}

async function blockDeviceOf({ deviceNumber: number, source }: Mount): Promise<string | undefined> {
  if (!number.startsWith('0:')) return number;
  const found: BigIntStats | undefined = await stat(source, { bigint: true }).catch(() => undefined);
  return found?.isBlockDevice() === true ? deviceNumber(found.rdev) : undefined;
}

/** As makedev(3) packs it. */
function deviceNumber(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}
