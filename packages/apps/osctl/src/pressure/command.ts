import { formatOption, refuseIgnored, type Terminal } from '@nodecore/cli';
import { InvalidArgumentError, Option, type Command } from 'commander';

import { parseInterval } from '../interval.ts';
import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { PressureFlags } from './pressure.ts';

const maxCgroups = 1000;

/** `osctl pressure` goes on with `-w` until it is interrupted, also after a lost connection; needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Shows how much of the time tasks waited for processors, memory and I/O (PSI): on the node, and in those of its ' +
        'cgroups with processes that wait most. Needs os:reader.',
    )
    .addOption(
      new Option('--top <cgroups>', 'how many cgroups; 0 shows the node alone, also with cgroup v1')
        .argParser(parseTop)
        .default(10),
    )
    .addOption(
      new Option('--sort <resource>', 'which stall counts')
        .choices(['any', 'cpu', 'memory', 'io', 'irq'])
        .default('any'),
    )
    .addOption(
      new Option(
        '--average <seconds>',
        'percent of so much time (default: 10; with -w, of the time since the last table)',
      ).choices(['10', '60', '300']),
    )
    .option('--skip-cri-resolve', 'do not name pods and containers')
    .option('-w, --watch', 'go on; survives a lost connection')
    .addOption(
      new Option('--interval <duration>', 'with -w: time between tables (default: 1s)').argParser(
        parseInterval,
      ),
    )
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
some: at least one task waited; full: all that could run did.

Examples:
  osctl pressure
  osctl pressure --sort memory --top 5 -w
  osctl pressure -o jsonpath=.pressure.memory.full.avg10 --top 0`,
    );
  callsMethods(command, 'CgroupService/Pressure');
  addGlobalFlags(command);
  refuseIgnored(command, 'interval', 'it goes with --watch', ({ watch }) => watch === true);
  command.action(async (flags: PressureFlags) => {
    const { showPressure } = await import('./pressure.ts');
    await showPressure({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}

function parseTop(text: string): number {
  const count = Number(text);
  if (/^\d{1,4}$/.test(text) && count <= maxCgroups) return count;
  throw new InvalidArgumentError(`Expected 0 to ${maxCgroups}.`);
}
