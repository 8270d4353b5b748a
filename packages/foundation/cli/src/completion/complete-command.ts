import type { Command } from 'commander';
import { candidatesOf, takesFile } from './candidates.ts';
import { readLine } from './line.ts';
import { filesAnswer } from './script.ts';
import { printable } from '../output/table.ts';
import { loadCommand } from '../program.ts';
import { print, type Terminal } from '../terminal.ts';

/** What the scripts of `completion` ask: words of a command line, the last one unfinished. */
export function configure(command: Command, terminal: Terminal): void {
  command.argument('[words...]').action(async (words: readonly string[]) => {
    const line = await readLine(command.parent!, words, loadCommand);
    const candidates = await candidatesOf(line, terminal);
    if (candidates.length === 0 && takesFile(line)) return await print(terminal.out, `${filesAnswer}\n`);
    const lines = candidates.map(({ value, description }) =>
      description === undefined ? printable(value) : `${printable(value)}\t${printable(description)}`,
    );
    await print(terminal.out, lines.map((each) => `${each}\n`).join(''));
  });
}
