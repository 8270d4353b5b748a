import { ioctl } from '@nodecore/sys';

import type { DeviceFile } from '../devices/device-file.ts';

export type EachRangeOptions = {
  /** Bytes of one range. */
  readonly rangeBytes: bigint;
  /** Where to begin; 0 unless given. */
  readonly from?: bigint;
  /** Heeded between two ranges. */
  readonly signal?: AbortSignal | undefined;
};

/** Goes over a device from one end to the other, until `take` says false. */
export async function eachRange(
  { sizeBytes }: DeviceFile,
  { rangeBytes, from = 0n, signal }: EachRangeOptions,
  take: (offset: bigint, length: bigint) => Promise<boolean>,
): Promise<void> {
  for (let offset = from; offset < sizeBytes; offset += rangeBytes) {
    signal?.throwIfAborted();
    const length = sizeBytes - offset < rangeBytes ? sizeBytes - offset : rangeBytes;
    if (!(await take(offset, length))) return;
  }
}

const BLKDISCARD = 0x1277;
const BLKZEROOUT = 0x127f;

/** What the device does not discard it keeps. */
export function discardRange(device: DeviceFile, offset: bigint, length: bigint): Promise<void> {
  return rangeCall(device, 'BLKDISCARD', BLKDISCARD, offset, length);
}

/** The kernel writes zeros where the device has no command for it. Not durable before the next sync. */
export async function zeroRange(device: DeviceFile, offset: bigint, length: bigint): Promise<void> {
  if (device.kernel === undefined) await device.zero(offset, length);
  else await rangeCall(device, 'BLKZEROOUT', BLKZEROOUT, offset, length);
}

async function rangeCall(
  { fd, path }: DeviceFile,
  name: string,
  request: number,
  offset: bigint,
  length: bigint,
): Promise<void> {
  const range = new BigUint64Array([offset, length]);
  await ioctl({ fd, path, name }, request, new Uint8Array(range.buffer));
}
