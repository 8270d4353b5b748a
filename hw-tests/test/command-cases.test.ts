import { existsSync } from 'node:fs';

import test from 'ava';

import { everyCommand, wholeProgram } from '../../packages/apps/osctl/test/whole-program.ts';
import { commandCases } from './command-cases.ts';

type Command = Awaited<ReturnType<typeof wholeProgram>>;

function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

test('every command of osctl is run on a node in a machine, or proven where it is said; and none that is gone', async (t) => {
  const commands = everyCommand(await wholeProgram());
  const leaves = commands.filter((each) => each.parent !== null && each.commands.length === 0).map(pathOf);
  t.deepEqual(Object.keys(commandCases).toSorted(), leaves.toSorted());
  for (const [name, one] of Object.entries(commandCases)) {
    if ('args' in one) t.true(one.args.startsWith(name), name);
    else if (one.elsewhere.includes('/'))
      t.true(existsSync(new URL(`../../${one.elsewhere}`, import.meta.url)), one.elsewhere);
  }
});
