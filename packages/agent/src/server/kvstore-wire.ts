import { type KvstoreAlarmInit, KvstoreAlarmType, type KvstoreStatusResponseInit } from '@nodecore/api';
import type { Alarm, AlarmKind, MemberStatus } from '@nodecore/kvstore';

import { ServerError } from './errors.ts';

/** What a member says about itself, as callers get it. */
export function wireStatus(found: MemberStatus): KvstoreStatusResponseInit {
  const { storageVersion = '', dbSizeBytes, dbSizeInUseBytes, leaderId, errors } = found;
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
