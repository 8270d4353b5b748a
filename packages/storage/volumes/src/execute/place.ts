import { randomUUID } from 'node:crypto';

import { type Disk, partitions } from '@nodecore/block';
import { prettySize } from '@nodecore/selector';
import { resolveSize } from '@nodecore/config';

import { eraseFor } from './erase-disk.ts';
import { VolumeError } from '../errors.ts';
import type { Candidate, Found } from '../facts/facts.ts';
import { identityOf } from '../intents/intent.ts';
import { type KeptProof, keptProof } from '../intents/proof.ts';
import { newNonce, partitionMark } from '../facts/provenance.ts';
import { refuseUnknownFilesystem } from './known-filesystem.ts';
import type { PartitionSpec } from '../spec.ts';
import type { VolumeStatus } from '../status.ts';
import type { Result, Work } from '../work.ts';

/**
 * Takes a place that carries the volume already. A process that was killed between writing the table and telling the
 * kernel has left an entry without a device node.
 */
export async function adopt(work: Work, found: Found): Promise<Result> {
  const { effects, locks, signal } = work;
  const { disk, devPath, partition } = found;
  if (partition !== undefined && (await effects.deviceNumber(devPath)) === undefined)
    await locks.run([disk.devPath], () => effects.announce(disk.devPath, partition.partitionGuid), signal);
  work.claims.take(work.spec.id, found);
  return { found, made: 'nothing', status: { phase: 'located', ...placeOf(found) } };
}

/** Makes the volume's partition, and the table on a disk that is proven empty. */
export async function provisionPartition(work: Work, candidate: Candidate): Promise<Result> {
  await refuseUnknownFilesystem(work);
  const { disk } = candidate;
  return work.locks.run([disk.devPath], () => addPartition(work, candidate), work.signal);
}

/** Everything is asked again: while this volume waited for its turn, another may have changed the disk. */
async function addPartition(work: Work, { disk, erase }: Candidate): Promise<Result> {
  const { spec, effects, intents, reader } = work;
  refuseOwned(work, disk);
  const erased = erase === undefined ? undefined : await eraseFor(work, disk);
  let proof: KeptProof | undefined;
  let table = await reader.table(disk.devPath);
  if (table === undefined) {
    // Proves the disk empty right before it writes.
    await effects.createTable(disk.devPath, {
      sequence: disk.sequence,
      onProof: (receipt) => {
        proof = keptProof(receipt, erased);
      },
    });
    table = await reader.table(disk.devPath);
  }
  if (table === undefined || spec.partition === undefined)
    throw new TypeError(`no partition can be made for ${spec.id}`);
  // Made by an earlier attempt whose answer was lost: it will be located.
  if (table.partitions.some((partition) => partition.label === spec.id)) return {};
  const sizeBytes = sizeOf(spec.id, partitions.largestFree(table), spec.partition);
  const partitionGuid = randomUUID();
  if (spec.recorded) {
    const identity = identityOf(disk);
    await intents.put({
      volumeId: spec.id,
      type: 'partition',
      disk: identity,
      partitionGuid,
      phase: 'constructing',
      ...(proof === undefined ? {} : { proof }),
    });
  }
  const { typeGuid } = spec.partition;
  const { sequence } = disk; // it may have been pulled while this waited, and another one have its name
  const mark = partitionMark(spec.id, partitionGuid);
  const options = {
    label: spec.id,
    typeGuid,
    partitionGuid,
    sizeBytes,
    underConstruction: true,
    mark,
    sequence,
  };
  const partition = await effects.addPartition(disk.devPath, options);
  const found = { disk, devPath: partition.devPath, size: partition.size, partition, recorded: false };
  work.claims.take(spec.id, found);
  return { found, made: 'nothing', status: { phase: 'provisioned', ...placeOf(found) } };
}

function sizeOf(volumeId: string, free: bigint, rules: PartitionSpec): bigint | 'rest' {
  try {
    const size = resolveSize(free, rules.minSize, rules.maxSize);
    return size === free ? 'rest' : size;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new VolumeError('ERR_VOLUME_NO_SPACE', volumeId, why, 'needs-operator', { cause });
  }
}

/** Takes a whole disk: what carries the nonce of the record is ours from then on. It is proven empty again before. */
export async function claimDisk(work: Work, candidate: Candidate): Promise<Result> {
  await refuseUnknownFilesystem(work);
  const { spec, intents, reader } = work;
  const { disk, erase } = candidate;
  return work.locks.run(
    [disk.devPath],
    async () => {
      refuseOwned(work, disk);
      const erased = erase === undefined ? undefined : await eraseFor(work, disk);
      const found = await reader.proof(disk.devPath);
      if (!found.empty) {
        const { reasons } = found;
        const message = `${disk.devPath}: ${reasons.join(', ')}`;
        throw new VolumeError('ERR_VOLUME_NOT_EMPTY', spec.id, message, 'needs-operator', { reasons });
      }
      const proof = keptProof(found.receipt, erased);
      const identity = identityOf(disk);
      const record = {
        volumeId: spec.id,
        type: 'disk',
        disk: identity,
        phase: 'constructing',
        nonce: newNonce(),
        proof,
      } as const;
      await intents.put(record);
      const place = { disk, devPath: disk.devPath, size: disk.size, recorded: false };
      work.claims.take(spec.id, place);
      return { found: place, made: 'nothing', status: { phase: 'provisioned', ...placeOf(place) } } as const;
    },
    work.signal,
  );
}

function refuseOwned({ intents, spec }: Work, disk: Disk): void {
  const owner = intents.ownerOf(disk, spec.id);
  if (owner === undefined) return;
  const message = `${disk.devPath} belongs to volume ${owner}`;
  throw new VolumeError('ERR_VOLUME_CLAIMED', spec.id, message, 'transient'); // the next survey leaves it out
}

function placeOf(found: Found): Partial<VolumeStatus> {
  const { partition } = found;
  return {
    location: found.devPath,
    size: found.size,
    prettySize: prettySize(found.size),
    ...(partition === undefined
      ? parentOf(found)
      : {
          parentLocation: found.disk.devPath,
          partitionIndex: partition.index,
          partitionUuid: partition.partitionGuid,
        }),
  };
}

/** Of a partition that another system has made. */
function parentOf({ disk, devPath, existing }: Found): Partial<VolumeStatus> {
  if (devPath === disk.devPath) return {};
  const partitionUuid = existing?.partitionUuid ?? '';
  return { parentLocation: disk.devPath, ...(partitionUuid === '' ? {} : { partitionUuid }) };
}
