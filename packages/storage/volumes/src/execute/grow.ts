import { prettySize } from '@nodecore/selector';

import type { Found, Growth } from '../facts/facts.ts';
import { growableSizeBytes } from '../observe/growth-limit.ts';
import { mappingName } from '../spec.ts';
import { foundOf, type Result, type Work } from '../work.ts';

/** Gives the partition the free space behind it. While it waited for its turn, another volume may have taken that. */
export async function growPartition(work: Work, size: bigint): Promise<Result> {
  const { spec, effects, reader, locks, signal } = work;
  const found = foundOf(work);
  const { disk, partition } = found;
  if (partition === undefined) throw new TypeError(`volume ${spec.id} has no partition`);
  return attempt(work, { refused: size }, () =>
    locks.run(
      [disk.devPath],
      async () => {
        const table = await reader.table(disk.devPath);
        const { partitionGuid } = partition;
        const entry = table?.partitions.find((one) => one.partitionGuid === partitionGuid);
        const room = table && (growableSizeBytes(spec, partitionGuid, table) ?? entry?.size);
        if (room === undefined || room > size) return {}; // planned again, with the sizes of now
        const grown = await effects.growPartition(disk.devPath, partitionGuid, room);
        const now: Found = { ...found, partition: grown, size: grown.size };
        return { found: now };
      },
      signal,
    ),
  );
}

/** Gives mapping and filesystem all of their device. */
export async function fillDevice(work: Work, size: bigint): Promise<Result> {
  const { spec, effects, signal } = work;
  const { devPath } = foundOf(work);
  const { filesystem, mount } = spec;
  return attempt(work, { filled: size }, async () => {
    const name = mappingName(spec.id);
    if (spec.encryption !== undefined) await effects.growMapping(name);
    const source = spec.encryption === undefined ? devPath : `/dev/mapper/${name}`;
    if (filesystem !== undefined && filesystem.type !== 'swap' && mount !== undefined)
      await effects.growFilesystem(source, { type: filesystem.type, target: mount.target, signal });
    return { growth: { ...work.facts.growth, filled: size }, status: sizeFields(size) };
  });
}

/** A volume in use stays in use when it can't grow: that is told, and tried again when its size changes or it starts. */
async function attempt(work: Work, failure: Growth, grow: () => Promise<Result>): Promise<Result> {
  try {
    return await grow();
  } catch (error) {
    if (work.signal.aborted) throw error;
    const reason = `did not grow: ${error instanceof Error ? error.message : String(error)}`;
    return { growth: { ...work.facts.growth, ...failure, reason }, status: { reason } };
  }
}

function sizeFields(size: bigint): { readonly size: bigint; readonly prettySize: string } {
  return { size, prettySize: prettySize(size) };
}
