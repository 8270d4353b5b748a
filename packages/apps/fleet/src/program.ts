import { Command } from 'commander';

import { configureServe } from './commands/serve.ts';

/** The command line. What a command needs beyond its options is loaded when it runs. */
export function buildProgram(): Command {
  const program = new Command('nodecore-fleet')
    .description('Manages machines that dial in: who they are, how they are, and who may reach them.')
    .addHelpText('after', '\nExit codes: 0 ok, 1 failed, 2 usage.');
  configureServe(program.command('serve'));
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}
