import { NativeError } from '@nodecore/native';

import type { DeviceAccess } from '../devices/device-access.ts';
import type { Content } from './discovered-volume.ts';
import { BlockError } from '../errors.ts';
import { type Judgement, judgementOf } from './judgement.ts';
import { withMeta } from './meta-record.ts';
import { judgementWindows } from './judgement-windows.ts';
import type { Device } from '../devices/stuck-devices.ts';

/** A judgement, and the bytes that it provably rests on: it holds for as long as these are unchanged. */
type Remembered = {
  readonly identity: string;
  readonly restsOn: BigUint64Array;
  readonly judgement: Judgement;
};

export type ReadOptions = {
  readonly signal?: AbortSignal;
  /** The device is an optical drive, which may have no medium. */
  readonly optical?: boolean;
};

/** Says what is on devices, and asks libblkid again only where it can't prove that nothing changed. */
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
    try {
      return await this.#content(device, sizeBytes, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      this.#remembered.delete(device.path);
      if (error instanceof BlockError && error.code === 'ERR_BLOCK_UNRESPONSIVE') {
        return { error: error.message, unresponsive: true };
      }
      if (isRefusal(error)) return { error: error.message };
      throw error;
    }
  }

  /** Drops what is remembered about devices that are gone. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#remembered.keys()) if (!paths.has(path)) this.#remembered.delete(path);
  }

  async #content(device: Device, sizeBytes: bigint, options: ReadOptions): Promise<Content> {
    const { signal, optical = false } = options;
    const { path, identity } = device;
    const last = this.#remembered.get(path);
    const known = last?.identity === identity ? last : undefined;
    const request = {
      windows: optical ? new BigUint64Array() : judgementWindows(sizeBytes),
      optical,
      digest: this.#remember,
      ...(known === undefined ? {} : { known: known.restsOn }),
    };
    const probed = await this.#access.probe(device, request, signal);
    if (probed.outcome === 'no-medium') return { empty: true };
    if (probed.outcome === 'unchanged') return known === undefined ? {} : { judgement: known.judgement };
    if (probed.outcome !== 'judged') throw new TypeError(`a probe of ${path} was ${probed.outcome}`);
    const judgement = await withMeta(path, sizeBytes, judgementOf(probed.judgement));
    const { restsOn } = probed;
    if (restsOn === undefined) this.#remembered.delete(path);
    else this.#remembered.set(path, { identity, restsOn, judgement });
    return { judgement };
  }
}

/** What the kernel said of the device, to the addon or to Node: it may be gone since it was judged. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof NativeError) return error.code === 'ERR_NATIVE_SYSTEM_CALL';
  return error instanceof Error && 'syscall' in error;
}
