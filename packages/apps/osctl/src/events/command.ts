import { booleanOption, formatOption, parseDuration, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import type { EventsFlags } from './events.ts';

/** `osctl events` needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Prints what happens on nodes as it happens: sequences with their phases and tasks, services, addresses, what the machine lacks.',
    )
    .addOption(
      new Option('--tail <number>', 'how many events of the past come first; -1: all that are kept')
        .argParser(parseTail)
        .default(0),
    )
    .addOption(
      new Option('--duration <duration>', 'events of so long ago come first')
        .argParser(parseDuration)
        .default(0, '0s'),
    )
    .option('--since <id>', 'go on behind this event, also one of another boot')
    .option('--actor-id <id>', 'only what this call has caused: reboot, upgrade and their like say their id')
    .addOption(booleanOption('--follow [boolean]', 'go on with what happens from now on', true))
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Events of earlier boots are there, too. A connection that is lost is made again, and no event is left out or comes twice.

Examples:
  osctl events
  osctl events --tail -1 --follow=false
  osctl events --duration 10m -o jsonpath={.message}
  osctl events --since 0199d1f2a0b500001c3f`,
    );
  addMaintenanceFlags(command);
  callsMethods(command, 'EventService/Events');
  addGlobalFlags(command);
  command.action(async (flags: Omit<EventsFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { showEvents } = await import('./events.ts');
    await showEvents({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}

function parseTail(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= -1 && value < 2 ** 31) return value;
  throw new InvalidArgumentError('A number of events; -1 is all of them.');
}
