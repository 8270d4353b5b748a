import { NativeError } from '@nodecore/native';

import type { ByteRange } from '../byte-range.ts';
import { DeviceAccess } from '../devices/device-access.ts';
import type { DeviceFile } from '../devices/device-file.ts';
import type { Signature } from '../inventory.ts';
import { judgementOf } from '../content/judgement.ts';

/** What libblkid says about a device, or about a part of it as if that were a device. */
export type PartJudgement = { readonly name: string; readonly signatures: readonly Signature[] };

/** What of some windows is not zero. */
export type Written = {
  /** Where the first byte of a window stands that is not zero; of the first few windows that have one. */
  readonly places: readonly bigint[];
  /** The first window that can't be read; nothing behind it was looked at. */
  readonly unreadable?: { readonly offset: bigint; readonly errno: string };
};

/** The reads of a proof. The default asks the addon, whose threads may hang; tests inject slow ones. */
export interface ProofReader {
  /** @param part undefined: the whole device. */
  judge(part: ByteRange | undefined): Promise<PartJudgement>;
  written(windows: readonly ByteRange[]): Promise<Written>;
}

/** Reads through the cache of the device that is open, which its owner has dropped before. */
export class DeviceReader implements ProofReader, Disposable {
  readonly #device: DeviceFile;
  readonly #signal: AbortSignal | undefined;
  readonly #access: DeviceAccess;

  constructor(device: DeviceFile, signal: AbortSignal | undefined) {
    this.#device = device;
    this.#signal = signal;
    this.#access = new DeviceAccess(device.calls?.deadlineMs);
  }

  async judge(part: ByteRange | undefined): Promise<PartJudgement> {
    const probed = await this.#ask(part === undefined ? {} : { part });
    if (probed.outcome !== 'judged') throw new TypeError(`a judgement was ${probed.outcome}`);
    const { name, signatures } = judgementOf(probed.judgement);
    if (part === undefined) return { name, signatures };
    return {
      name,
      signatures: signatures.map((found) => ({ ...found, offset: found.offset + part.offset })),
    };
  }

  /** In the order of the device, all asked for at once: a disk that turns takes them as they come by. */
  async written(windows: readonly ByteRange[]): Promise<Written> {
    const pairs = new BigUint64Array(windows.flatMap(({ offset, size }) => [offset, size]));
    const probed = await this.#ask({ windows: pairs, findWritten: true });
    if (probed.outcome !== 'read') throw new TypeError(`a reading was ${probed.outcome}`);
    return probed;
  }

  #ask(request: Parameters<DeviceAccess['probe']>[1]): ReturnType<DeviceAccess['probe']> {
    const { path } = this.#device;
    return this.#access.probe({ path, identity: path }, request, this.#signal);
  }

  [Symbol.dispose](): void {
    this.#access[Symbol.dispose]();
  }
}

/** For people: what the addon says names the call and the device. */
export function isNativeFailure(error: unknown): error is NativeError {
  return error instanceof NativeError && error.code === 'ERR_NATIVE_SYSTEM_CALL';
}
