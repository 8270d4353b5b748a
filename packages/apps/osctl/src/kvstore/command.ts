import type { KvstoreAlarm } from '@nodecore/api/kvstore';
import { destroyingOption, destroys, formatOption, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { parseAlarm } from './alarm-name.ts';
import type { Flags as VerifyFlags } from './verify.ts';
import { parseMemberId } from './member-id.ts';

type DefragFlags = { readonly output: string; readonly dryRun?: true; readonly force?: true };
type Shown = { readonly output: string };

/** All subcommands of `osctl kvstore` take the global flags, also `verify`, which calls no node. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('The kvstore (etcd): its members, alarms and snapshots.').helpCommand(false);
  addStatus(command, terminal);
  addMembers(command, terminal);
  addAlarm(command, terminal);
  addRecoverSpace(command, terminal);
  addForfeit(command, terminal);
  addLeave(command, terminal);
  addRemove(command, terminal);
  addSnapshot(command, terminal);
  addVerify(command, terminal);
  addDefrag(command, terminal);
  addDowngrade(command, terminal);
  for (const each of command.commands) {
    if (each.commands.length === 0) addGlobalFlags(each);
    for (const inner of each.commands) addGlobalFlags(inner);
  }
}

function addStatus(kvstore: Command, terminal: Terminal): void {
  callsMethods(kvstore.command('status'), 'KvstoreService/Status')
    .description('Prints how the member on each node does. Use several nodes to see all members.')
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore status -n 10.0.0.2,10.0.0.3,10.0.0.4'))
    .action(async (flags: Shown, command: Command) => {
      const { printStatus } = await import('./status.ts');
      await printStatus({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addMembers(kvstore: Command, terminal: Terminal): void {
  callsMethods(kvstore.command('members'), 'KvstoreService/Members')
    .description('Prints who is in the cluster, as the member on each node knows it.')
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore members -n 10.0.0.2'))
    .action(async (flags: Shown, command: Command) => {
      const { printMembers } = await import('./members.ts');
      await printMembers({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addAlarm(kvstore: Command, terminal: Terminal): void {
  const alarm = kvstore.command('alarm').description('Alarms of members.').helpCommand(false);
  callsMethods(alarm.command('list'), 'KvstoreService/Alarms')
    .description('Prints the alarms that are raised.')
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore alarm list -n 10.0.0.2'))
    .action(async (flags: Shown, command: Command) => {
      const { printAlarms } = await import('./alarms.ts');
      await printAlarms({ ...globalFlagsOf(command), ...flags }, terminal);
    });
  callsMethods(alarm.command('disarm'), 'KvstoreService/DisarmAlarms')
    .description(
      'Disarms alarms and prints which. It frees no space and repairs nothing: do that first. Needs os:operator.',
    )
    .argument(
      '[alarms...]',
      '<member>:<alarm>; none: those that are raised now, after a question',
      collectAlarms,
    )
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore alarm disarm -n 10.0.0.2'))
    .action(
      async (alarms: readonly KvstoreAlarm[], flags: Shown & { readonly yes?: true }, command: Command) => {
        const { disarmAlarms } = await import('./alarms.ts');
        await disarmAlarms(alarms, { ...globalFlagsOf(command), ...flags }, terminal);
      },
    );
}

function addRecoverSpace(kvstore: Command, terminal: Terminal): void {
  callsMethods(kvstore.command('recover-space'), 'KvstoreService/RecoverSpace')
    .description(
      'Where NOSPACE is raised: forgets old revisions, defragments every member, and disarms the alarm when that has made ' +
        'room. Values of today stay. Needs os:operator.',
    )
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore recover-space -n 10.0.0.2'))
    .action(async (flags: Shown, command: Command) => {
      const { recoverSpace } = await import('./recover-space.ts');
      await recoverSpace({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addForfeit(kvstore: Command, terminal: Terminal): void {
  callsMethods(kvstore.command('forfeit-leadership'), 'KvstoreService/ForfeitLeadership')
    .description('Moves the leadership to another member, if the one on the node has it. Needs os:admin.')
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore forfeit-leadership -n 10.0.0.2'))
    .action(async (flags: Shown, command: Command) => {
      const { forfeitLeadership } = await import('./change.ts');
      await forfeitLeadership({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addLeave(kvstore: Command, terminal: Terminal): void {
  callsMethods(destroys(kvstore.command('leave')), 'KvstoreService/Leave')
    .description('Takes the member on a node out of the cluster and deletes its data. Needs os:admin.')
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore leave -n 10.0.0.4'))
    .action(async (flags: Shown & { readonly yes?: true }, command: Command) => {
      const { leave } = await import('./change.ts');
      await leave({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addRemove(kvstore: Command, terminal: Terminal): void {
  callsMethods(destroys(kvstore.command('remove-member')), 'KvstoreService/RemoveMember')
    .description('Removes a member that is broken; one that is not is told to leave. Needs os:admin.')
    .argument('<member ID>', 'as osctl kvstore members prints it', parseMemberId)
    .addOption(destroyingOption('-f, --force', 'also a healthy one'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore remove-member 8e9e05c52164694d -n 10.0.0.2'))
    .action(async (memberId: bigint, flags: Shown & { readonly force?: true }, command: Command) => {
      const { removeMember } = await import('./change.ts');
      await removeMember(memberId, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addSnapshot(kvstore: Command, terminal: Terminal): void {
  callsMethods(kvstore.command('snapshot'), 'KvstoreService/Snapshot')
    .description(
      'Saves the database of one node in a file that only its owner can read, and proves it. Whoever has it has all that is ' +
        'in the kvstore. Needs os:kvstore:backup.',
    )
    .argument('<path>', 'of the file; until it is proven it is <path>.part')
    .addOption(destroyingOption('-f, --force', 'replace a file that exists'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore snapshot kvstore.db -n 10.0.0.2'))
    .action(async (path: string, flags: Shown & { readonly force?: true }, command: Command) => {
      const { saveSnapshot } = await import('./snapshot.ts');
      await saveSnapshot(path, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addVerify(kvstore: Command, terminal: Terminal): void {
  callsMethods(kvstore.command('verify'))
    .description(
      'Proves snapshots that are files here: the hash that etcd has put behind each, and every page. Asks no node. Ends with 0 ' +
        'when all are proven, 6 when some are, 3 for a file that is not there, else with 1.',
    )
    .argument('<paths...>', 'files, or directories: all in them that ends with .db')
    .option(
      '--skip-hash-check',
      'take also what has no hash at its end, or a wrong one: its structure is proven all the same',
    )
    .option(
      '--rehearse',
      'restore a copy of each apart, start etcd with it where nobody else can reach it, and compare what it has; says how long that took',
    )
    .option('--etcd <program>', 'for --rehearse; by name when it is in the path', 'etcd')
    .option('--etcdutl <program>', 'for --rehearse; by name when it is in the path', 'etcdutl')
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples('osctl kvstore verify kvstore.db', 'osctl kvstore verify backups --rehearse'),
    )
    .action(async (paths: readonly string[], flags: VerifyFlags) => {
      const { verifyFiles } = await import('./verify.ts');
      await verifyFiles(paths, flags, terminal);
    });
}

function addDefrag(kvstore: Command, terminal: Terminal): void {
  callsMethods(kvstore.command('defrag'), 'KvstoreService/Defragment')
    .description(
      'Gives the free space in the database of one node back to its disk, when that pays. The member answers nothing ' +
        'meanwhile: one node at a time, the leader last. Needs os:operator.',
    )
    .option('--dry-run', 'print what would be done, and do nothing')
    .addOption(destroyingOption('-f, --force', 'also when it gives little back'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl kvstore defrag -n 10.0.0.2 --dry-run'))
    .action(async (flags: DefragFlags, command: Command) => {
      const { defragment } = await import('./defragment.ts');
      await defragment({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addDowngrade(kvstore: Command, terminal: Terminal): void {
  const group = kvstore.command('downgrade').description('Goes back to an earlier version. Needs os:admin.');
  group.helpCommand(false);
  const add = (step: 'validate' | 'enable' | 'cancel', summary: string): Command =>
    callsMethods(group.command(step), 'KvstoreService/Downgrade')
      .description(summary)
      .addOption(formatOption())
      .action(async (...parameters: unknown[]) => {
        const command = parameters.at(-1) as Command;
        const [version = ''] = command.processedArgs as readonly string[];
        const { downgrade } = await import('./change.ts');
        await downgrade(step, version, { ...globalFlagsOf(command), ...command.opts<Shown>() }, terminal);
      });
  add('validate', 'Asks whether that is possible.')
    .argument('<version>', 'such as 3.5', parseVersion)
    .addHelpText('after', examples('osctl kvstore downgrade validate 3.5 -n 10.0.0.2'));
  add('enable', 'Lets members of that version join: restart them with it, one by one.')
    .argument('<version>', 'such as 3.5', parseVersion)
    .addHelpText('after', examples('osctl kvstore downgrade enable 3.5 -n 10.0.0.2'));
  add('cancel', 'Takes that back.').addHelpText(
    'after',
    examples('osctl kvstore downgrade cancel -n 10.0.0.2'),
  );
}

function parseVersion(text: string): string {
  if (/^\d{1,3}\.\d{1,3}$/u.test(text)) return text;
  throw new InvalidArgumentError('Expected <major>.<minor>, such as 3.5.');
}

/** commander passes a list of arguments one by one, each with the result of those before. */
function collectAlarms(text: string, before: readonly KvstoreAlarm[] | undefined): readonly KvstoreAlarm[] {
  return [...(before ?? []), parseAlarm(text)];
}
