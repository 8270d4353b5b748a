import { readFile } from 'node:fs/promises';

import test from 'ava';

import { everyCommand, wholeProgram } from '../../packages/apps/osctl/test/whole-program.ts';
import { commandCases } from './command-cases.ts';

type Command = Awaited<ReturnType<typeof wholeProgram>>;

function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

/** Names of files in which osctl meets an agent of a machine, or the agent's own program. */
const meetsAgents = /\.(?:vm|root|fault)\.test\.ts$|-check\.ts$|-story\.ts$/u;

test('every command of osctl is run on a node in a machine, or proven where it is said; and none that is gone', async (t) => {
  const commands = everyCommand(await wholeProgram());
  const leaves = commands.filter((each) => each.parent !== null && each.commands.length === 0).map(pathOf);
  t.deepEqual(Object.keys(commandCases).toSorted(), leaves.toSorted());
  for (const [name, one] of Object.entries(commandCases)) {
    if (one === 'local') continue;
    if ('args' in one) {
      t.true(one.args.startsWith(name), name);
      continue;
    }
    const file = 'elsewhere' in one ? one.elsewhere : one.imitated;
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    // As words of a list or of a line; some files run several commands of a group in a loop over the last word.
    const [first = '', ...rest] = name.split(' ');
    const last = rest.at(-1) ?? first;
    t.true(
      [first, last].every((word) => new RegExp(`['"\` ]${word}['"\` ,)]`, 'u').test(text)),
      `${file} runs no ${name}`,
    );
    if ('elsewhere' in one) t.regex(file, meetsAgents, name);
  }
});
