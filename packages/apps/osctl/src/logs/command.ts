import { completes, formatOption, type Terminal } from '@nodecore/cli';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import { logNames } from '../nodes/completers.ts';
import type { LogsFlags } from './logs.ts';

/** `osctl logs` needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Prints what a service, the kernel or the agent said last, each line behind the name of its node. Needs os:reader.',
    )
    .addArgument(
      completes(
        new Argument(
          '<name>',
          'a service, as osctl service lists them; kernel, agent, controller-runtime, init',
        ),
        logNames,
      ),
    )
    .option('-f, --follow', 'go on with what it prints from now on')
    .addOption(
      new Option('--tail <lines>', 'how many lines of the past; -1: all that are kept')
        .argParser(parseTail)
        .default(-1),
    )
    .addOption(
      new Option(
        '--kind <kind>',
        'what the name is of; with another namespace than system a service is of its runtime; vm needs os:admin, and is for one node',
      )
        .choices(['service', 'container', 'vm'])
        .default('service'),
    )
    .addOption(
      new Option('--namespace <namespace>', 'system: services; the others are of containers')
        .choices(['system', 'cri', 'taloscontainers'])
        .default('system'),
    )
    .option('--raw', 'the bytes as they are, of one node')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
A node keeps a mebibyte of each service. What is printed is made harmless for terminals, unless --raw is given.

Examples:
  osctl logs etcd --tail 100 -f
  osctl logs kernel --tail 20
  osctl logs etcd --raw > etcd.log`,
    );
  addMaintenanceFlags(command);
  callsMethods(command, 'SupervisorService/Logs');
  addGlobalFlags(command);
  command.action(async (id: string, flags: Omit<LogsFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { printLogs } = await import('./logs.ts');
    await printLogs(id, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}

function parseTail(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= -1 && value < 2 ** 31) return value;
  throw new InvalidArgumentError('A number of lines; -1 is all of them.');
}
