import { type KvstoreAlarm, KvstoreAlarmType } from '@nodecore/api/kvstore';
import { InvalidArgumentError } from 'commander';

import { parseMemberId } from './member-id.ts';

/** `8e9e05c52164694d:NOSPACE`. For arguments: throws commander's `InvalidArgumentError`. */
export function parseAlarm(text: string): KvstoreAlarm {
  const [, member = '', name = ''] = /^([^:]*):([A-Za-z]+)$/u.exec(text) ?? [];
  const types: Readonly<Record<string, KvstoreAlarmType>> = {
    NOSPACE: KvstoreAlarmType.NOSPACE,
    CORRUPT: KvstoreAlarmType.CORRUPT,
  };
  const type = types[name.toUpperCase()];
  if (type === undefined)
    throw new InvalidArgumentError(
      'Expected <member>:NOSPACE or <member>:CORRUPT, as alarm list prints them.',
    );
  return { memberId: parseMemberId(member), type };
}
