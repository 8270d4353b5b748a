import { NativeError } from '@nodecore/native';
import { SystemCallError } from '@nodecore/sys';

import { BlkidProbe } from './blkid-probe.ts';
import type { Device, DeviceAccess } from './device-access.ts';
import type { Content } from './discovered-volume.ts';
import { BlockError } from './errors.ts';
import { judge, type Judgement } from './judgement.ts';
import { judgementWindows } from './judgement-windows.ts';
import { hasMedium } from './optical-drive.ts';

/**
 * A judgement, and the bytes it rests on.
 *
 * It may be repeated for as long as these bytes are unchanged, because nothing else was read to reach it: before libblkid
 * ran, exactly the windows were in the device's page cache, and after it no page more. Where that does not hold (the
 * content made libblkid read elsewhere, somebody else has the device open, or the kernel can't count) nothing is
 * remembered, and the next scan asks libblkid again. The windows are read before libblkid reads them: what is written
 * between the two makes the digest differ next time, never the same.
 */
type Remembered = {
  readonly identity: string;
  readonly digest: BigUint64Array;
  readonly judgement: Judgement;
};

export type ReadOptions = {
  readonly signal?: AbortSignal;
  /** The device is an optical drive, which may have no medium. */
  readonly optical?: boolean;
};

/** Says what is on devices, and remembers it as long as it can prove that nothing changed. */
export class ContentReader {
  readonly #access: DeviceAccess;
  readonly #remember: boolean;
  readonly #remembered = new Map<string, Remembered>();

  /** @param remember whether there will be another time; otherwise the first is cheaper. */
  constructor(access: DeviceAccess, remember: boolean) {
    this.#access = access;
    this.#remember = remember;
  }

  /** Never rejects for what is wrong with the device: that is part of the content. */
  async read(device: Device, sizeBytes: bigint, options: ReadOptions = {}): Promise<Content> {
    const { signal, optical = false } = options;
    try {
      if (optical && !(await hasMedium(this.#access, device))) return { empty: true };
      return { judgement: await this.#judgement(device, sizeBytes, signal) };
    } catch (error) {
      signal?.throwIfAborted();
      this.#remembered.delete(device.path);
      if (error instanceof BlockError && error.code === 'ERR_BLOCK_UNRESPONSIVE') {
        return { error: error.message, unresponsive: true };
      }
      if (isOfDevice(error)) return { error: error.message };
      throw error;
    }
  }

  /** Drops what is remembered about devices that are gone. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#remembered.keys()) if (!paths.has(path)) this.#remembered.delete(path);
  }

  async #judgement(device: Device, sizeBytes: bigint, signal: AbortSignal | undefined): Promise<Judgement> {
    const last = this.#remembered.get(device.path);
    const known = last?.identity === device.identity ? last : undefined;
    const opened = await this.#access.open(device, judgementWindows(sizeBytes), {
      digest: this.#remember,
      ...(known === undefined ? {} : { known: known.digest }),
    });
    const { fd } = opened;
    if (fd === undefined && known !== undefined) return known.judgement;
    if (fd === undefined) throw new TypeError('a device was closed without being known');
    const judgement = await this.#judgeAndKeep(device, fd, signal);
    const cachedAtEnd = await this.#access.finish(device, fd);
    const confined =
      opened.sizeBytes === sizeBytes &&
      opened.cachedPages === opened.windowPages &&
      cachedAtEnd === opened.windowPages;
    if (confined) {
      this.#remembered.set(device.path, { identity: device.identity, digest: opened.digest, judgement });
    } else {
      this.#remembered.delete(device.path);
    }
    return judgement;
  }

  async #judgeAndKeep(device: Device, fd: number, signal: AbortSignal | undefined): Promise<Judgement> {
    try {
      return await this.#access.judge(device, fd, async () => {
        using probe = await BlkidProbe.open(fd, device.path);
        return await judge(probe, signal);
      });
    } catch (error) {
      // While a call hangs on the descriptor, it stays open; it is closed when the call returns.
      const hangs = this.#access.stuck(device) !== undefined;
      if (!hangs) await this.#access.finish(device, fd);
      throw error;
    }
  }
}

/** What the system said about the device, as opposed to a library that is missing or a mistake of ours. */
function isOfDevice(error: unknown): error is Error {
  if (error instanceof NativeError) return error.code === 'ERR_NATIVE_SYSTEM_CALL';
  return error instanceof BlockError || error instanceof SystemCallError;
}
