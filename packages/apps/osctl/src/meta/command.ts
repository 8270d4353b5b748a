import { destroys, formatOption, type Terminal, UsageError } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';

type Flags = MaintenanceFlags & { readonly output: string };

/** `osctl meta` changes what META keeps for users; `osctl get metakeys` shows it. */
export function configure(command: Command, terminal: Terminal): void {
  command.description(
    'Changes what META keeps for users, which is known before STATE can be opened: 10 configuration of the network, 11 the ' +
      'variable ${code} of a configuration URL, 12 to 14 free. osctl get metakeys shows it.',
  );
  const write = command
    .command('write <key> <value>')
    .description(
      'Keeps a value: 0 to 31, also as 0x0a. Needs os:admin or os:meta:writer; with -i none, for 10 to 14.',
    );
  write.addOption(formatOption());
  addMaintenanceFlags(write);
  callsMethods(write, 'MachineService/MetaWrite');
  write.addHelpText('after', examples('osctl meta write 12 rack-7 -n 10.0.0.5'));
  addGlobalFlags(write);
  write.action(async (key: string, value: string, flags: Flags) => {
    const { metaWrite } = await import('./meta.ts');
    await metaWrite(keyOf(key), value, { ...globalFlagsOf(write), ...flags }, terminal);
  });
  const remove = destroys(command.command('delete <key>')).description(
    'Takes a value away. Needs os:admin or os:meta:writer; with -i none, for 10 to 14.',
  );
  remove.addOption(formatOption());
  addMaintenanceFlags(remove);
  callsMethods(remove, 'MachineService/MetaDelete');
  remove.addHelpText('after', examples('osctl meta delete 12 -n 10.0.0.5'));
  addGlobalFlags(remove);
  remove.action(async (key: string, flags: Flags) => {
    const { metaDelete } = await import('./meta.ts');
    await metaDelete(keyOf(key), { ...globalFlagsOf(remove), ...flags }, terminal);
  });
}

/** @throws {UsageError} for what is no number of one byte: 10, 0x0a, 0o12 or 0b1010. */
function keyOf(text: string): number {
  const key = /^(?:\d+|0x[0-9a-f]+|0o[0-7]+|0b[01]+)$/iu.test(text) ? Number(text) : NaN;
  if (Number.isInteger(key) && key <= 0xff) return key;
  throw new UsageError(`${JSON.stringify(text)} is no key of META: 0 to 255, also as 0x0a, 0o12 or 0b1010`);
}
