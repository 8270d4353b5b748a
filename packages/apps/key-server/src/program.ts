import { Command } from 'commander';

import { configureRing } from './commands/ring.ts';
import { configureServe } from './commands/serve.ts';

/** The command line. What a command needs beyond its options is loaded when it runs. */
export function buildProgram(): Command {
  const program = new Command('nodecore-kms')
    .description(
      'Keeps the volume keys of nodes readable only with its help: seals and unseals them over gRPC.',
    )
    .addHelpText('after', '\nExit codes: 0 ok, 1 failed, 2 usage.');
  configureServe(program.command('serve'));
  configureRing(program.command('ring'));
  for (const command of everyCommand(program)) command.exitOverride();
  return program;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
