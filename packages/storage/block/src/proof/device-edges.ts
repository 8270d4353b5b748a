import { type DeviceFile, giveBack } from '../devices/device-file.ts';
import { firstNonZero } from '../content/gpt-header.ts';
import type { Edges } from './interrupted-table.ts';

/** Every byte of the first and the last MiB is looked at: tables and most superblocks are there. */
export const edgeBytes: bigint = 1n << 20n;

/**
 * Reads {@link edgeBytes} from both ends and looks at them; on a smaller device, both are all of it.
 *
 * @param look at bytes that are gone when it returns.
 */
export async function inspectEdges<T>(device: DeviceFile, look: (edges: Edges) => T): Promise<T> {
  const { sizeBytes, sectorSize } = device;
  const length = Number(sizeBytes < edgeBytes ? sizeBytes : edgeBytes);
  const first = await device.read(0n, length);
  try {
    return await device.inspect(sizeBytes - BigInt(length), length, (last) =>
      look({ first, last, sizeBytes, sectorSize }),
    );
  } finally {
    giveBack(first);
  }
}

/** One sentence for each edge that is not zero. */
export function writtenInEdges({ first, last, sizeBytes }: Edges): string[] {
  const inFirst = firstNonZero(first);
  const inLast = firstNonZero(last);
  return [
    ...(inFirst === undefined ? [] : [`its first MiB has data at byte ${inFirst}`]),
    ...(inLast === undefined
      ? []
      : [`its last MiB has data at byte ${sizeBytes - BigInt(last.length) + BigInt(inLast)}`]),
  ];
}
