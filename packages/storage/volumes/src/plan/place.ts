import type { Action } from './action.ts';
import { chooseDisk, choosePartition } from './choose.ts';
import type { Facts, Found } from '../facts/facts.ts';
import type { IntentRecord } from '../intents/intent.ts';
import type { VolumeSpec } from '../spec.ts';
import { someOf } from '../facts/verdict.ts';

/** Where the volume is, and if it is nowhere, where it shall be made. */
export function planPlace(spec: VolumeSpec, facts: Facts): Action {
  if (!facts.disksKnown) return wait('the disks are being looked at');
  if (spec.disks === 'system-disk' && facts.systemDisk === undefined) return wait('there is no system disk');
  // A half-made disk is told from a finished one only by its record.
  if (spec.type === 'disk' && !facts.intents.available) return wait(noIntents);
  if (facts.found === undefined) return { kind: 'locate' };
  if (facts.found.length > 0) return adopt(spec, facts.found);
  return planProvisioning(spec, facts);
}

export const noIntents: string = 'STATE is not mounted yet, and earlier decisions are recorded there';

function adopt(spec: VolumeSpec, found: readonly Found[]): Action {
  const recorded = found.filter((one) => one.recorded);
  const [only, ...others] = recorded.length === 1 ? recorded : found;
  if (only !== undefined && others.length === 0) return { kind: 'adopt', found: only };
  const paths = someOf(found.map((one) => one.devPath));
  return {
    kind: 'fail',
    code: 'ERR_VOLUME_AMBIGUOUS',
    message:
      spec.volumes === undefined
        ? `${spec.id} is on ${found.length} ${spec.type}s: ${paths}`
        : `${found.length} disks and partitions match, need 1: ${paths}`,
    permanence: 'needs-operator',
  };
}

function planProvisioning(spec: VolumeSpec, facts: Facts): Action {
  if (spec.volumes !== undefined)
    return { kind: 'wait', phase: 'waiting', reason: 'no disk or partition matches' };
  if (!spec.provision) return missing(`no partition is labelled ${spec.id}`);
  if (spec.recorded && !facts.intents.available) return wait(noIntents);
  const record = facts.intents.available ? facts.intents.record : undefined;
  // Made and gone is not the same as never made: the data is on a disk that is not here.
  if (record?.phase === 'done') return missing(absence(record));
  if (facts.candidates === undefined) return { kind: 'survey' };
  return spec.type === 'disk'
    ? chooseDisk(facts.candidates)
    : choosePartition(spec, facts.candidates, facts.pending);
}

function absence(record: IntentRecord): string {
  const { disk } = record;
  const name = disk.wwid || disk.serial || disk.busPath || disk.devPath;
  const what = record.partitionGuid === undefined ? 'disk' : `partition ${record.partitionGuid} on disk`;
  return `it was made as ${what} ${name}, which is not here; to make it anew, take its document away first`;
}

function wait(reason: string): Action {
  return { kind: 'wait', phase: 'waiting', reason, wantsSpace: 'anywhere' };
}

function missing(reason: string): Action {
  return { kind: 'wait', phase: 'missing', reason };
}
