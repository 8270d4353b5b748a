import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import type { MemoryFlags } from './memory.ts';

/** `osctl memory` shows MiB in its table and bytes in structured output; needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Shows how much memory nodes have, use and have left, in MiB (2^20 bytes). Needs os:reader.')
    .option('-v, --verbose', 'everything that the kernel says of its memory')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
As free -w counts: what is used is what programs could not get; the cache counts what the kernel can give back of its own.

Examples:
  osctl memory
  osctl memory -v
  osctl memory -o jsonpath={.availableBytes}`,
    );
  addMaintenanceFlags(command);
  callsMethods(command, 'StatService/Memory');
  addGlobalFlags(command);
  command.action(async (flags: Omit<MemoryFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { showMemory } = await import('./memory.ts');
    await showMemory({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
