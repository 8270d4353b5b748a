import type { ListrDefaultRendererLogLevels } from 'listr2';

import { printable } from './table.ts';
import type { Terminal } from '../terminal.ts';

/** How far something is. */
export type Far = { readonly what: string; readonly percent: number };

/** Says what is being done on a node right now, and how far it is. */
export type Tell = (node: string, line: string, far?: Far) => void;

/** Tells it where lines stay: of one thing every tenth percent, and not all hundred. */
export function everyTenth(write: (node: string, line: string) => void): Tell {
  const told = new Map<string, string>();
  return (node, line, far) => {
    const mark = far === undefined ? '' : `${far.what} ${Math.floor(far.percent / 10)}`;
    if (far === undefined || mark !== told.get(node)) write(node, line);
    told.set(node, mark);
  };
}

/**
 * Shows what goes on while `work` runs: on a terminal one line per node that is replaced by the next, elsewhere one
 * line after the other. All of it goes to standard error.
 */
export async function showProgress<Result>(
  nodes: readonly string[],
  terminal: Terminal,
  work: (tell: Tell) => Promise<Result>,
): Promise<Result> {
  const stream = terminal.error;
  if (!isTerminal(stream))
    return await work(everyTenth((node, line) => void stream.write(`${node}: ${printable(line)}\n`)));
  const { Listr, ListrLogger, ProcessOutput } = await import('listr2');
  const tellers = new Map<string, (line: string) => void>();
  const ready = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const tasks = new Listr(
    nodes.map((node, index) => ({
      title: printable(node),
      task: async (_context, task): Promise<void> => {
        tellers.set(node, (line) => (task.output = printable(line)));
        if (index === nodes.length - 1) ready.resolve();
        await done.promise;
      },
    })),
    {
      concurrent: true,
      rendererOptions: {
        removeEmptyLines: true,
        clearOutput: true, // the table of results comes after it
        logger: new ListrLogger<ListrDefaultRendererLogLevels>({
          processOutput: new ProcessOutput(stream, stream),
        }),
      },
    },
  );
  const shown = tasks.run();
  try {
    await ready.promise;
    return await work((node, line) => tellers.get(node)?.(line));
  } finally {
    done.resolve();
    await shown;
  }
}

function isTerminal(stream: Terminal['error']): stream is NodeJS.WriteStream {
  return 'isTTY' in stream && stream.isTTY === true;
}
