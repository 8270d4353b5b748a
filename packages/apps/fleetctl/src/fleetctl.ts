import { exitCodeOf, exitCodes, exitWords, linesOf, type ProgramDefinition } from '@nodecore/cli';
import { codeOf, releaseVersion } from '@nodecore/sys/pure';

import { commands } from './commands.ts';
import { addGlobalFlags } from './flags.ts';

const used = [
  'ok',
  'failed',
  'usage',
  'notFound',
  'denied',
  'unreachable',
  'timedOut',
  'interrupted',
] as const;

/** What to do next, by error code. */
const advice: Readonly<Record<string, string>> = {
  ERR_API_UNREACHABLE: 'check that the fleet manager runs, and the URL: fleetctl config info',
  ERR_API_UNTRUSTED: 'add the context again with its --ca or --fleetca',
  ERR_API_UNAUTHENTICATED: 'get a key: fleetctl login',
  ERR_AUTHV1_NO_KEY: 'get one: fleetctl login, or fleetctl config add with --service-account-key',
  ERR_FLEET_NO_FACTORY: 'start the fleet manager with --primary-factory-url',
  ERR_API_DENIED: 'ask an administrator for the role',
};

/** The command line of fleetctl. */
export const fleetctl: ProgramDefinition = {
  name: 'fleetctl',
  version: releaseVersion,
  description: 'Manages machines through a fleet manager.',
  commands,
  exits: Object.fromEntries(used.map((name) => [exitCodes[name], exitWords[name]])),
  addFlags: addGlobalFlags,
  errorLines: (error) => linesOf(error, advice[codeOf(error) ?? '']),
  exitCodeOf: (error) => exitCodeOf(error),
};
