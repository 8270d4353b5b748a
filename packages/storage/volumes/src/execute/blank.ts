import { BlockError, type BlankMethod } from '@nodecore/block';
import { prettySize } from '@nodecore/selector';
import type { Blanking } from '@nodecore/config';

import { type BlankRecord, identityOf, type IntentRecord, recordAt } from '../intents/intent.ts';
import { mappingName } from '../spec.ts';
import { foundOf, type Result, type Work } from '../work.ts';

/** Progress is reported this often at most: a fast device has many ranges a second. */
const tellMs = 1000;

/** Sees to it that a raw volume shows nothing of what was in its place before. Hours, where a large disk writes every byte. */
export async function blank(work: Work): Promise<Result> {
  const { blank: method = 'none' } = work.spec;
  if (method !== 'none') return { made: 'blank', status: { blank: await makeBlank(work, method) } };
  return { made: 'blank', status: { blank: await note(work, method, 0n) } };
}

/** What is known of how the volume was made blank; nothing of one that was made otherwise. */
export function blankRecord(work: Work): { readonly blank?: BlankRecord } {
  const { spec, intents } = work;
  const record = recordAt(foundOf(work), intents.get(spec.id));
  return spec.kind === 'raw' && record?.blank !== undefined ? { blank: record.blank } : {};
}

async function makeBlank(work: Work, method: BlankMethod): Promise<BlankRecord> {
  const { spec, effects, signal, clock, tell } = work;
  const { devPath, disk } = foundOf(work);
  const isEncrypted = spec.encryption !== undefined;
  const path = isEncrypted ? `/dev/mapper/${mappingName(spec.id)}` : devPath;
  const fromBytes = resumeAt(work, method);
  let record = await note(work, method, fromBytes);
  let toldAt = clock.now();
  const onProgress = (done: bigint, total: bigint): void => {
    if (clock.now() - toldAt < tellMs) return;
    toldAt = clock.now();
    const share = total === 0n ? 100n : (done * 100n) / total;
    tell(`make blank: ${method}, ${prettySize(done)} of ${prettySize(total)}, ${share} %`);
  };
  const onDurable = async (done: bigint): Promise<void> => {
    record = await note(work, method, done);
  };
  const meant = isEncrypted ? {} : { sequence: disk.sequence };
  try {
    await effects.blank(path, { method, fromBytes, onProgress, onDurable, signal, ...meant });
  } catch (error) {
    if (!(error instanceof BlockError) || error.code !== 'ERR_BLOCK_NO_ZEROES') throw error;
    const message = `${error.message}: set provisioning.blank to zeroes`;
    throw new BlockError(error.code, error.device, message, { cause: error });
  }
  return record;
}

/**
 * Where an earlier run had come to. What one has written through an encryption is worth nothing: each run makes a new key.
 */
function resumeAt(work: Work, method: BlankMethod): bigint {
  const { blank: done, ...record } = recordOf(work);
  const { size } = foundOf(work);
  if (record.phase !== 'constructing' || done === undefined || done.method !== method) return 0n;
  const isUsable = !done.encrypted && work.spec.encryption === undefined && done.doneBytes <= size;
  return isUsable ? done.doneBytes : 0n;
}

async function note(work: Work, method: Blanking, doneBytes: bigint): Promise<BlankRecord> {
  const done = { method, doneBytes, encrypted: work.spec.encryption !== undefined };
  await work.intents.put({ ...recordOf(work), blank: done });
  return done;
}

/** The record of this very partition, whatever was recorded of another one with its name. */
function recordOf(work: Work): IntentRecord {
  const { spec, intents } = work;
  const { disk, partition } = foundOf(work);
  if (partition === undefined) throw new TypeError(`${spec.id} is no partition`);
  const { partitionGuid } = partition;
  const record = recordAt({ disk, partition }, intents.get(spec.id));
  if (record !== undefined) return record;
  return {
    volumeId: spec.id,
    type: 'partition',
    disk: identityOf(disk),
    partitionGuid,
    phase: 'constructing',
  };
}
