import type { ConstructionMark, ConstructionOptions } from '@nodecore/block';

import { VolumeError } from '../errors.ts';
import { identityOf, recordAt } from '../intents/intent.ts';
import { blankRecord } from './blank.ts';
import { markOf, newNonce, uuidFor } from '../facts/provenance.ts';
import { formatLocked, openLocked } from './luks.ts';
import { mappingName } from '../spec.ts';
import { foundOf, type Result, type Work } from '../work.ts';
import { refuseUnknownFilesystem } from './known-filesystem.ts';

/** Says durably that what will be on the device is of our making and holds no data, before any of it is written. */
export async function beginConstruction(work: Work): Promise<Result> {
  const { spec, effects, intents } = work;
  const { disk, partition } = foundOf(work);
  const { proof } = recordAt(foundOf(work), intents.get(spec.id)) ?? {};
  const record = {
    volumeId: spec.id,
    disk: identityOf(disk),
    phase: 'constructing',
    ...(proof && { proof }),
  } as const;
  if (partition === undefined) {
    await intents.put({ ...record, type: 'disk', nonce: newNonce() });
  } else {
    const { partitionGuid } = partition;
    if (spec.recorded) await intents.put({ ...record, type: 'partition', partitionGuid });
    await effects.setUnderConstruction(disk.devPath, partitionGuid, true);
  }
  return { made: 'nothing', status: { phase: 'provisioned' } };
}

/** The device is proven empty in the same moment, so there is nothing to wipe. */
export async function putMark(work: Work): Promise<Result> {
  await work.effects.beginMaking(foundOf(work).devPath, attempt(work));
  return { made: 'wiped' };
}

export async function wipe(work: Work): Promise<Result> {
  await work.effects.restartMaking(foundOf(work).devPath, attempt(work));
  return { made: 'wiped' };
}

export async function formatLuks(work: Work): Promise<Result> {
  const { devPath } = foundOf(work);
  await requireOurs(work, devPath);
  const notMade = await formatLocked(work, devPath, uuidFor(markIn(work), 'luks'));
  return { made: 'locked', status: { encryptionProvider: 'luks2', encryptionFailedSyncs: notMade } };
}

/** Opens what this run has formatted. */
export async function openMade(work: Work): Promise<Result> {
  const opener = await openLocked(work, foundOf(work).devPath);
  return { made: 'opened', opener, status: { encryptionSlot: opener.slot } };
}

/** A fresh mapping shows the decryption of zeros: noise, in which emptiness could not be proven. */
export async function wipeMapping(work: Work): Promise<Result> {
  await work.effects.wipeMapping(`/dev/mapper/${mappingName(work.spec.id)}`);
  return { made: 'cleared' };
}

export async function makeFilesystem(work: Work): Promise<Result> {
  const { spec, effects, signal } = work;
  if (spec.filesystem === undefined) throw new TypeError(`volume ${spec.id} has no filesystem of ours`);
  await refuseUnknownFilesystem(work);
  const { type, label, xfsMinAllocationGroupSize } = spec.filesystem;
  const { disk } = foundOf(work);
  await effects.makeFilesystem(mountLocation(work), {
    type,
    label,
    uuid: uuidFor(markIn(work), 'filesystem'),
    rotational: disk.rotational,
    ...(xfsMinAllocationGroupSize === undefined ? {} : { xfsMinAllocationGroupSize }),
    signal,
  });
  return { made: 'filesystem' };
}

/**
 * From here on the content counts as data: never wiped, never formatted again. The mark goes while the content does not count
 * yet, so that what has no mark is complete, or blank. Old data that is handed over has nothing to be known by, and keeps it
 * longer.
 */
export async function finishConstruction(work: Work): Promise<Result> {
  const { spec, effects } = work;
  const { devPath } = foundOf(work);
  const options = attempt(work);
  const isBlank = spec.blank !== undefined && spec.blank !== 'none';
  const isKnown = spec.filesystem !== undefined || spec.encryption !== undefined || isBlank;
  if (isKnown) await effects.endMaking(devPath, options);
  await countAsData(work);
  if (!isKnown) await effects.endMaking(devPath, options);
  const content = await work.reader.recognised(foundOf(work).devPath);
  const uuid = 'uuid' in content ? { uuid: content.uuid } : {};
  const { device } = work.facts;
  return {
    made: 'nothing',
    sound: 'checked',
    ...(typeof device === 'object' ? { growth: { filled: device.size } } : {}),
    status: { phase: 'prepared', mountLocation: mountLocation(work), ...uuid },
  };
}

/** Writes down where the volume is, so that it is missed, not made again, when its disk is away. */
export async function record(work: Work): Promise<Result> {
  const { spec, intents, reader } = work;
  const { disk, devPath, partition } = foundOf(work);
  const content = await reader.recognised(devPath);
  const before = recordAt(foundOf(work), intents.get(spec.id));
  await intents.put({
    volumeId: spec.id,
    type: partition === undefined ? 'disk' : 'partition',
    disk: identityOf(disk),
    ...(partition === undefined ? {} : { partitionGuid: partition.partitionGuid }),
    phase: 'done',
    ...(before?.proof && { proof: before.proof }),
    ...('uuid' in content ? { uuid: content.uuid } : {}),
    ...blankRecord(work),
  });
  return {};
}

/** What an attempt that broke off had completed is taken for what it is. */
export async function acceptMade(work: Work): Promise<Result> {
  await countAsData(work);
  return { made: 'nothing', status: { phase: 'located' } };
}

async function countAsData(work: Work): Promise<void> {
  const { disk, partition } = foundOf(work);
  if (partition === undefined) await record(work);
  else await work.effects.setUnderConstruction(disk.devPath, partition.partitionGuid, false);
}

/** Right after the wipe: the mark is there, and nothing else at both ends, nor a signature. */
async function requireOurs(work: Work, path: string): Promise<void> {
  const reasons = [...((await work.reader.leftBehind(path)) ?? [])];
  if (!(await work.reader.isMarked(path, markIn(work)))) reasons.push('its mark is gone');
  if (reasons.length === 0) return;
  const message = `${path}: ${reasons.join(', ')}`;
  throw new VolumeError('ERR_VOLUME_NOT_EMPTY', work.spec.id, message, 'needs-operator', { reasons });
}

function markIn(work: Work): ConstructionMark {
  const mark = markOf(work.spec.id, foundOf(work), work.intents.get(work.spec.id));
  if (mark === undefined) throw new TypeError(`${work.spec.id} has no nonce`);
  return mark;
}

/** Free blocks of what is encrypted show on the disk only where its document says so. */
function attempt(work: Work): ConstructionOptions {
  const { encryption } = work.spec;
  const { sequence } = foundOf(work).disk;
  const discard = encryption?.allowDiscards ?? true;
  return {
    mark: markIn(work),
    discard,
    ...(sequence === undefined ? {} : { sequence }),
    signal: work.signal,
  };
}

function mountLocation(work: Work): string {
  const { spec } = work;
  return spec.encryption === undefined ? foundOf(work).devPath : `/dev/mapper/${mappingName(spec.id)}`;
}
