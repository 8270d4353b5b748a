import { formatOption, jsonOption, parseDuration, refuseIgnored, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

type Flags = { readonly withResources?: true; readonly output: string };
type ProfileFlags = { readonly output: string; readonly json?: true };

/** The subcommands of `osctl inspect` are for exactly one node; dependencies needs os:reader, the others os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('How a node works inside.').helpCommand(false);
  addDependencies(command, terminal);
  addCpuProfile(command, terminal);
  addHeapSnapshot(command, terminal);
  for (const each of command.commands) addGlobalFlags(each);
}

function addDependencies(inspect: Command, terminal: Terminal): void {
  const dependencies = inspect
    .command('dependencies')
    .description(
      'Prints what runs on a node and how it hangs together, as a graph for Graphviz: pipe it to `dot -Tsvg`.',
    )
    .option('--with-resources', 'also the resources that are read and written')
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples(
        'osctl inspect dependencies -n 10.0.0.5 | dot -Tsvg > node.svg',
        'osctl inspect dependencies -n 10.0.0.5 --with-resources',
      ),
    )
    .action(async (flags: Flags) => {
      const { printDependencies } = await import('./dependencies.ts');
      await printDependencies({ ...globalFlagsOf(dependencies), ...flags }, terminal);
    });
  refuseIgnored(
    dependencies,
    'withResources',
    'programs always get the resources',
    ({ output }) => output === 'table',
  );
  callsMethods(dependencies, 'InspectService/ControllerRuntimeDependencies');
}

function addCpuProfile(inspect: Command, terminal: Terminal): void {
  const command = callsMethods(inspect.command('cpu-profile'), 'InspectService/CpuProfile')
    .description("Saves what a node's agent spends its processor time on. Needs os:admin.")
    .addOption(
      new Option('--duration <duration>', 'how long the agent is watched, 100ms to 1m')
        .argParser(parseWatched)
        .default(10_000, '10s'),
    )
    .requiredOption('-o, --output <file>', 'where to save it; a file that is there is never replaced')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Open the file in the DevTools of a browser (Performance, Load profile), in VS Code, or with another program for .cpuprofile.

Examples:
  osctl inspect cpu-profile -n 10.0.0.5 -o agent.cpuprofile
  osctl inspect cpu-profile -n 10.0.0.5 --duration 30s -o busy.cpuprofile`,
    )
    .action(async (flags: ProfileFlags & { readonly duration: number }) => {
      const { saveCpuProfile } = await import('./profile.ts');
      await saveCpuProfile({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addHeapSnapshot(inspect: Command, terminal: Terminal): void {
  const command = callsMethods(inspect.command('heap-snapshot'), 'InspectService/HeapSnapshot')
    .description("Saves every object in the memory of a node's agent, secrets too. Needs os:admin.")
    .requiredOption('-o, --output <file>', 'where to save it; a file that is there is never replaced')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The agent answers nobody while it looks at its memory: about a second. A node that has not the memory for it refuses.
Open the file in the DevTools of a browser (Memory, Load profile).

Examples:
  osctl inspect heap-snapshot -n 10.0.0.5 -o agent.heapsnapshot`,
    )
    .action(async (flags: ProfileFlags) => {
      const { saveHeapSnapshot } = await import('./profile.ts');
      await saveHeapSnapshot({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

/** As nodes take them. */
function parseWatched(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs >= 100 && durationMs <= 60_000) return durationMs;
  throw new InvalidArgumentError('Expected 100ms to 1m.');
}
