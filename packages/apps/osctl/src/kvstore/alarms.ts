import { type KvstoreAlarm, KvstoreAlarmType } from '@nodecore/api/kvstore';
import { confirm, type Terminal } from '@nodecore/cli';

import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';
import { type Flags, type Listing, printListing } from './listing.ts';
import { hexId } from './member-id.ts';

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

/**
 * Disarms the named alarms, else those that are raised now, and prints what was disarmed. Without names it asks: an alarm may
 * say that data differ, and nothing but a person knows whether that was mended.
 *
 * @throws {UsageError} when nothing is named and nobody sits there to answer.
 */
export async function disarmAlarms(
  named: readonly KvstoreAlarm[],
  flags: Flags & { readonly yes?: true },
  terminal: Terminal,
): Promise<void> {
  const isAsked = named.length === 0 && flags.yes !== true;
  const agreed = isAsked ? await agreedOn(flags, terminal) : undefined;
  const ask = async ({ client, node }: Target, signal: AbortSignal): Promise<Shown[]> => {
    const present = named.length > 0 ? named : (await client.kvstore.alarms({ node, signal })).alarms;
    // Only what was shown: one that was raised meanwhile is another question.
    const alarms = present.filter((alarm) => agreed?.has(keyOf(alarm)) ?? true);
    if (alarms.length === 0) return [];
    const { disarmed } = await client.kvstore.disarmAlarms({ alarms }, { node, signal });
    return disarmed.map(shown);
  };
  await printListing({ columns, ask, row }, flags, terminal);
}

/** The alarms that are raised and that somebody at the terminal wants disarmed. */
async function agreedOn(flags: Flags, terminal: Terminal): Promise<ReadonlySet<string>> {
  await using targets = await Targets.open(flags, terminal);
  const { results } = await everyNode(targets.all, ({ client, node }) =>
    client.kvstore.alarms({ node, signal: terminal.signal }),
  );
  const raised = new Set(results.flatMap(({ result }) => result.alarms.map(keyOf)));
  if (raised.size === 0) return raised; // and nothing to ask about
  const question = `disarm ${[...raised].join(', ')}? That frees no space and repairs no data`;
  return (await confirm(terminal, question)) ? raised : new Set();
}

/** As it is named on a command line. */
function keyOf(alarm: KvstoreAlarm): string {
  const { member, alarm: name } = shown(alarm);
  return `${member}:${name}`;
}

function shown({ memberId, type }: KvstoreAlarm): Shown {
  const name = Object.entries(KvstoreAlarmType).find(([, value]) => value === type)?.[0] ?? 'UNSPECIFIED';
  return { member: hexId(memberId), alarm: name };
}
