import { type KvstoreAlarm, KvstoreAlarmType } from '@nodecore/api';
import { InvalidArgumentError } from 'commander';

import type { Target } from '../nodes/target.ts';
import type { Terminal } from '../terminal.ts';
import { type Flags, type Listing, printListing } from './listing.ts';
import { hexId, parseMemberId } from './member-id.ts';

type Shown = { readonly member: string; readonly alarm: string };

const columns = ['member', 'alarm'];
const row: Listing<Shown>['row'] = ({ member, alarm }) => [member, alarm];

/** Prints the alarms that are raised; nothing when none is. */
export async function printAlarms(flags: Flags, terminal: Terminal): Promise<void> {
  await printListing({ columns, ask: raised, row }, flags, terminal);
}

async function raised({ client, node }: Target, signal: AbortSignal): Promise<Shown[]> {
  const { alarms } = await client.kvstore.alarms({ node, signal });
  return alarms.map(shown);
}

/** Disarms the named alarms, else those that are raised now, and prints what was disarmed. */
export async function disarmAlarms(
  named: readonly KvstoreAlarm[],
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const ask = async ({ client, node }: Target, signal: AbortSignal): Promise<Shown[]> => {
    const alarms = named.length > 0 ? named : (await client.kvstore.alarms({ node, signal })).alarms;
    if (alarms.length === 0) return [];
    const { disarmed } = await client.kvstore.disarmAlarms({ alarms }, { node, signal });
    return disarmed.map(shown);
  };
  await printListing({ columns, ask, row }, flags, terminal);
}

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

function shown({ memberId, type }: KvstoreAlarm): Shown {
  const name = Object.entries(KvstoreAlarmType).find(([, value]) => value === type)?.[0] ?? 'UNSPECIFIED';
  return { member: hexId(memberId), alarm: name };
}
