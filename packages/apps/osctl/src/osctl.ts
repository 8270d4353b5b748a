import type { ProgramDefinition } from '@nodecore/cli';
import { releaseVersion } from '@nodecore/sys/pure';
import { absentCommands } from './absent-commands.ts';
import { commands } from './commands.ts';
import { errorLines } from './error-lines.ts';
import { errorObjects } from './error-objects.ts';
import { AllFailedError, RemoteExitError } from './errors.ts';
import { exitCodeOf, exitCodes, exitWords } from './exit.ts';
import { addGlobalFlags } from './flags.ts';

/** The command line of osctl. */
export const osctl: ProgramDefinition = {
  name: 'osctl',
  version: releaseVersion,
  description: 'Manages nodes through their API.',
  commands,
  exits: Object.fromEntries(
    Object.entries(exitCodes).map(([name, code]) => [code, exitWords[name as keyof typeof exitCodes]]),
  ),
  addFlags: addGlobalFlags,
  absent: absentCommands,
  errorLines,
  errorObjects,
  exitCodeOf: (error) =>
    error instanceof AllFailedError || error instanceof RemoteExitError ? error.exitCode : exitCodeOf(error),
};
