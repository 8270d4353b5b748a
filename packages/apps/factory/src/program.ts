import {
  type CommandEntry,
  completionCommands,
  exitCodeOf,
  exitCodes,
  exitWords,
  linesOf,
  type ProgramDefinition,
} from '@nodecore/cli';
import { releaseVersion } from '@nodecore/sys/pure';

const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'make and serve images until SIGTERM',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'mirror',
    summary: 'copy a release to or from a registry, an OCI layout or a directory',
    load: () => import('./commands/mirror.ts'),
  },
  { name: 'release', summary: 'look at a release', load: () => import('./commands/release.ts') },
  { name: 'schematic', summary: 'the ID of a schematic', load: () => import('./commands/schematic.ts') },
  {
    name: 'token',
    summary: 'the token that a factory begins with',
    load: () => import('./commands/token.ts'),
  },
  ...completionCommands,
];

/** The command line of the factory. */
export const program: ProgramDefinition = {
  name: 'nodecore-factory',
  version: releaseVersion,
  description: 'Makes bootable images of schematics and releases, and serves them.',
  commands,
  exits: Object.fromEntries(
    (['ok', 'failed', 'usage', 'notFound', 'denied', 'unreachable', 'interrupted'] as const).map((name) => [
      exitCodes[name],
      exitWords[name],
    ]),
  ),
  addFlags: () => {},
  errorLines: (error) => linesOf(error),
  exitCodeOf: (error) => exitCodeOf(error),
};
