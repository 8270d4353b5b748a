import {
  type DefragmentResponseInit,
  DefragmentState,
  type KvstoreAlarmInit,
  KvstoreAlarmType,
  type KvstoreStatusResponseInit,
  type RecoverSpaceResponseInit,
} from '@nodecore/api/kvstore';
import type { Alarm, AlarmKind, MemberStatus } from '@nodecore/kvstore';

import type { DefragmentationEvent } from './defragmentation.ts';
import type { SpaceRecoveryEvent } from './space-recovery.ts';
import { ServerError } from '../server/errors.ts';

/** What a member says about itself, as callers get it. */
export function wireStatus(found: MemberStatus): KvstoreStatusResponseInit {
  const {
    storageVersion = storageOf(found.version),
    dbSizeBytes,
    dbSizeInUseBytes,
    leaderId,
    errors,
  } = found;
  const { memberId, version, raftIndex, raftTerm, raftAppliedIndex, isLearner } = found;
  return {
    memberId,
    version,
    storageVersion,
    dbSize: dbSizeBytes,
    dbSizeInUse: dbSizeInUseBytes,
    leader: leaderId,
    raftIndex,
    raftTerm,
    raftAppliedIndex,
    errors,
    isLearner,
  };
}

/** Before 3.6 a database does not say its format, which is that of the program's minor version. */
function storageOf(version: string): string {
  const [, minor] = /^(\d+\.\d+)\./u.exec(version) ?? [];
  return minor === undefined ? 'unknown' : `${minor}.0`;
}

/** An alarm that this version of the API has no name for has type UNSPECIFIED. */
export function wireAlarm({ memberId, kind }: Alarm): KvstoreAlarmInit {
  const types: Readonly<Record<string, KvstoreAlarmType>> = {
    nospace: KvstoreAlarmType.NOSPACE,
    corrupt: KvstoreAlarmType.CORRUPT,
  };
  return { memberId, type: types[kind] ?? KvstoreAlarmType.UNSPECIFIED };
}

/** @throws {ServerError} `ERR_SERVER_REQUEST` for one without a name. */
export function alarmKind(type: KvstoreAlarmType): AlarmKind {
  if (type === KvstoreAlarmType.NOSPACE) return 'nospace';
  if (type === KvstoreAlarmType.CORRUPT) return 'corrupt';
  throw new ServerError('ERR_SERVER_REQUEST', 'an alarm is NOSPACE or CORRUPT');
}

/** What becomes of a defragmentation. */
export function wireDefragmentation(event: DefragmentationEvent): DefragmentResponseInit {
  switch (event.state) {
    case 'planned': {
      const { member, sizeBytes, inUseBytes, estimatedStallMs } = event.step;
      return {
        memberId: member.id,
        state: DefragmentState.PLANNED,
        dbSizeBefore: sizeBytes,
        dbSizeInUse: inUseBytes,
        estimatedMillis: BigInt(Math.round(estimatedStallMs)),
        message: event.obstacles.length === 0 ? '' : `not now: ${event.obstacles.join('; ')}`,
      };
    }
    case 'skipped':
      return { memberId: event.memberId, state: DefragmentState.SKIPPED, message: event.message };
    case 'waiting': {
      const percent = Math.round(event.pressure * 100);
      const message = `others wait for I/O ${percent} % of the time`;
      return { memberId: event.memberId, state: DefragmentState.WAITING, message };
    }
    case 'running':
      return {
        memberId: event.memberId,
        state: DefragmentState.RUNNING,
        elapsedMillis: BigInt(Math.round(event.elapsedMs)),
        estimatedMillis: BigInt(Math.round(event.estimatedMs)),
      };
    case 'settling':
      return { memberId: event.memberId, state: DefragmentState.SETTLING };
    case 'done':
  }
  const { member, beforeBytes, afterBytes, stall } = event.result;
  return {
    memberId: member.id,
    state: DefragmentState.DONE,
    dbSizeBefore: beforeBytes,
    dbSizeAfter: afterBytes,
    elapsedMillis: BigInt(Math.round(stall.tookMs)),
  };
}

/** How far a store is on its way to take writes again. */
export function wireSpaceRecovery(event: SpaceRecoveryEvent): RecoverSpaceResponseInit {
  if (event.state === 'working') return { message: event.message };
  const { compactedTo = 0n, defragmented, disarmed } = event;
  return { report: { compactedTo, defragmented, disarmed: disarmed.map(wireAlarm) } };
}
