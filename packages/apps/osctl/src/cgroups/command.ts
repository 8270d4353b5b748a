import { presetNames } from '@nodecore/cgroup/schema';
import { formatOption, refuseIgnored, type Terminal } from '@nodecore/cli';
import { Option, type Command } from 'commander';

import type { CgroupsFlags } from './cgroups.ts';
import { parseInterval } from '../interval.ts';
import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** `osctl cgroups` calls every node once, with `-w` again after each lost connection; needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Shows the cgroups of nodes as a tree. The node reads the files that the columns need, and sends nothing else. ' +
        'Needs cgroup v2 on the node and os:reader.',
    )
    .argument('[cgroup]', 'begin at this one: /system.slice (default: the root)')
    .addOption(new Option('--preset <name>', 'columns to show').choices(presetNames))
    .option('--schema-file <file>', 'columns of your own: names and templates in YAML')
    .option('--skip-cri-resolve', 'show directories as they are, not units, pods and containers')
    .option('-w, --watch', 'go on, with counters as growth per second; survives a lost connection')
    .addOption(
      new Option('--interval <duration>', 'with -w: time between samples (default: 1s)').argParser(
        parseInterval,
      ),
    )
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
A schema file:
  columns:
    - name: Memory
      template: '{{ printf "%8s" .MemoryCurrent.HumanizeIBytes }}'
Fields, methods and functions of templates: docs/cgroups.md.

JSON has the numbers behind the columns, with units in their names; with -w one object per line, and rates.

Examples:
  osctl cgroups --preset memory
  osctl cgroups /kubepods --preset cpu -w
  osctl cgroups --preset io -o jsonpath=.values.ioReadBytes
  osctl cgroups --schema-file columns.yaml -n node-a,node-b`,
    );
  callsMethods(command, 'CgroupService/Read', 'CgroupService/Watch');
  addGlobalFlags(command);
  refuseIgnored(command, 'interval', 'it goes with --watch', ({ watch }) => watch === true);
  command.action(async (cgroup: string | undefined, flags: CgroupsFlags) => {
    const { showCgroups } = await import('./cgroups.ts');
    await showCgroups(cgroup, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}
