import { VolumeError } from './errors.ts';
import { identityOf } from './intent.ts';
import { blankRecord } from './execute-blank.ts';
import { formatLocked, openLocked } from './execute-luks.ts';
import { mappingName } from './spec.ts';
import { foundOf, type Result, type Work } from './work.ts';

/** Says durably that what is on the device is of our making and holds no data, before any of it is written. */
export async function beginConstruction(work: Work): Promise<Result> {
  const { spec, effects, intents } = work;
  const { disk, partition } = foundOf(work);
  if (partition === undefined) {
    await intents.put({ volumeId: spec.id, type: 'disk', disk: identityOf(disk), phase: 'constructing' });
  } else {
    await effects.setUnderConstruction(disk.devPath, partition.partitionGuid, true);
  }
  return { made: 'nothing', status: { phase: 'provisioned' } };
}

export async function wipe(work: Work): Promise<Result> {
  const { devPath, disk } = foundOf(work);
  await work.effects.wipe(devPath, { sequence: disk.sequence });
  return { made: 'wiped' };
}

export async function formatLuks(work: Work): Promise<Result> {
  const { devPath } = foundOf(work);
  await requireWiped(work, devPath);
  const notMade = await formatLocked(work, devPath);
  return { made: 'locked', status: { encryptionProvider: 'luks2', encryptionFailedSyncs: notMade } };
}

/** Opens what this run has formatted. */
export async function openMade(work: Work): Promise<Result> {
  const opener = await openLocked(work, foundOf(work).devPath);
  return { made: 'opened', opener, status: { encryptionSlot: opener.slot } };
}

/** A fresh mapping shows the decryption of zeros: noise, in which emptiness could not be proven. */
export async function wipeMapping(work: Work): Promise<Result> {
  await work.effects.wipe(`/dev/mapper/${mappingName(work.spec.id)}`, {});
  return { made: 'cleared' };
}

export async function makeFilesystem(work: Work): Promise<Result> {
  const { spec, effects, signal } = work;
  if (spec.filesystem === undefined) throw new TypeError(`volume ${spec.id} has no filesystem of ours`);
  const { type, label, xfsMinAllocationGroupSize } = spec.filesystem;
  const { disk } = foundOf(work);
  await effects.makeFilesystem(mountLocation(work), {
    type,
    label,
    rotational: disk.rotational,
    ...(xfsMinAllocationGroupSize === undefined ? {} : { xfsMinAllocationGroupSize }),
    signal,
  });
  return { made: 'filesystem' };
}

/** From here on the content counts as data: never wiped, never formatted again. */
export async function finishConstruction(work: Work): Promise<Result> {
  const { effects } = work;
  const { disk, partition } = foundOf(work);
  if (partition === undefined) await record(work);
  else await effects.setUnderConstruction(disk.devPath, partition.partitionGuid, false);
  const content = await work.look.recognised(foundOf(work).devPath);
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
  const { spec, intents, look } = work;
  const { disk, devPath, partition } = foundOf(work);
  const content = await look.recognised(devPath);
  await intents.put({
    volumeId: spec.id,
    type: partition === undefined ? 'disk' : 'partition',
    disk: identityOf(disk),
    ...(partition === undefined ? {} : { partitionGuid: partition.partitionGuid }),
    phase: 'done',
    ...('uuid' in content ? { uuid: content.uuid } : {}),
    ...blankRecord(work),
  });
  return {};
}

/** Right after the wipe that every construction begins with. */
async function requireWiped(work: Work, path: string): Promise<void> {
  const reasons = await work.look.leftBehind(path);
  if (reasons === undefined) return;
  const message = `${path}: ${reasons.join(', ')}`;
  throw new VolumeError('ERR_VOLUME_NOT_EMPTY', work.spec.id, message, 'needs-operator', { reasons });
}

function mountLocation(work: Work): string {
  const { spec } = work;
  return spec.encryption === undefined ? foundOf(work).devPath : `/dev/mapper/${mappingName(spec.id)}`;
}
