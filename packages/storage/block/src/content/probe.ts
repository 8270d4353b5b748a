import { codeOf } from '@nodecore/sys';
import { NativeError } from '@nodecore/native';

import { DeviceAccess } from '../devices/device-access.ts';
import { BlockError } from '../errors.ts';
import { type Judgement, judgementOf } from './judgement.ts';
import { withMeta } from './meta-record.ts';

export type ProbeOptions = {
  readonly signal?: AbortSignal;
  /** How long the call on the device may take, from when it begins; as long as it takes unless given. */
  readonly deadlineMs?: number | undefined;
};

/** What is on one device or file right now. */
export type ProbeResult = Judgement & {
  readonly path: string;
  readonly size: bigint;
  readonly sectorSize: number;
};

/**
 * Asks libblkid what is on a block device or in a file. Nothing is cached and nothing is written: this is the judgement
 * that a decision to format may rest on.
 *
 * Needs read permission. After an abort or the deadline the device is closed as soon as the current read returns.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_FOUND`, `ERR_BLOCK_FAILED` with the errno, `ERR_BLOCK_UNRESPONSIVE` when the call, or
 * an earlier one on the device, does not return.
 */
export async function probe(path: string, options: ProbeOptions = {}): Promise<ProbeResult> {
  const { signal, deadlineMs } = options;
  signal?.throwIfAborted();
  using access = new DeviceAccess(deadlineMs);
  try {
    const probed = await access.probe({ path, identity: path }, {}, signal);
    if (probed.outcome !== 'judged') throw new TypeError(`a fresh probe of ${path} was ${probed.outcome}`);
    const { sizeBytes, judgement } = probed;
    const found = await withMeta(path, sizeBytes, judgementOf(judgement));
    return { path, size: sizeBytes, sectorSize: judgement.sectorSize, ...found };
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof NativeError ? translated(path, error) : error;
  }
}

function translated(path: string, error: NativeError): Error {
  if (codeOf(error) !== 'ERR_NATIVE_SYSTEM_CALL') return error;
  const { errno, message } = error;
  const missing = errno === 'ENOENT' || errno === 'ENXIO' || errno === 'ENODEV';
  const code = missing ? 'ERR_BLOCK_NOT_FOUND' : 'ERR_BLOCK_FAILED';
  return new BlockError(code, path, message, { errno, cause: error });
}
