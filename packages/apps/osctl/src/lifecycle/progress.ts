import { everyTenth, printable, showProgress, type Tell, type Terminal } from '@nodecore/cli';

import type { WaitFlags } from './flags.ts';

/** Shows what goes on at nodes: one line each on a terminal, line after line elsewhere; with `debug` each with its time. */
export async function withProgress<Result>(
  { progress, debug }: Pick<WaitFlags, 'progress' | 'debug'>,
  nodes: readonly string[],
  terminal: Terminal,
  work: (tell: Tell) => Promise<Result>,
): Promise<Result> {
  if (debug !== true && progress === 'auto') return await showProgress(nodes, terminal, work);
  const tell = everyTenth((node, line) => {
    const time = debug === true ? `${new Date().toISOString()} ` : '';
    terminal.error.write(`${time}${printable(node)}: ${printable(line)}\n`);
  });
  return await work(tell);
}
