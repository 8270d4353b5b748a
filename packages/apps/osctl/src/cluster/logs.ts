import { formatStreamed, print, readFormat, type Terminal } from '@nodecore/cli';
import { chosenNodes, type PlannedNode } from '@nodecore/clusters';
import { systemClock } from '@nodecore/waiting';

import { Console } from './console.ts';
import { directoryOf, type PlaceFlags } from './place.ts';
import { readableConsole } from './words.ts';

const pollMs = 200;

/** The flags of `osctl cluster logs`. */
export type LogFlags = PlaceFlags & {
  readonly follow?: true;
  readonly services?: true;
  readonly output: string;
};

/**
 * Prints the consoles of a cluster's machines; of several each line behind the name of its machine. Programs get an object for each. Who
 * follows them is told when the cluster is gone, and when lines may be missing.
 */
export async function printLogs(
  machine: string | undefined,
  flags: LogFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const directory = directoryOf(flags, terminal);
  const plan = await directory.requirePlan();
  const nodes = chosenNodes(plan, machine === undefined ? undefined : [machine]);
  const path = (node: PlannedNode): string =>
    flags.services === true ? directory.services(node) : directory.console(node);
  const consoles = nodes.map((node) => new Console(path(node), node));
  const textOf = async ({ name }: PlannedNode, line: string): Promise<string> => {
    if (format.kind !== 'table') return await formatStreamed({ machine: name, line }, format);
    const text = readableConsole(line);
    return nodes.length === 1 ? `${text}\n` : `[${name}] ${text}\n`;
  };
  const printMore = async (whole: boolean): Promise<boolean> => {
    let said = false;
    for (const console of consoles) {
      const lines = await console.more(whole);
      if (console.takeGap())
        await print(
          terminal.error,
          `${console.node.name}: lines may be missing here: they came faster than they are kept\n`,
        );
      if (lines.length === 0) continue;
      said = true;
      const texts = await Promise.all(lines.map((line) => textOf(console.node, line)));
      await print(terminal.out, texts.join(''));
    }
    return said;
  };
  for (;;) {
    if (await printMore(flags.follow !== true)) continue;
    if (flags.follow !== true) return;
    if (!(await directory.exists())) break;
    await systemClock.sleep(pollMs, terminal.signal);
  }
  await printMore(true);
  await print(terminal.error, `cluster ${flags.name} is gone\n`);
}
