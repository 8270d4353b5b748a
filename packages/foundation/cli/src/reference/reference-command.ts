import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileAtomic } from '@nodecore/sys';
import { codeOf, releaseVersion } from '@nodecore/sys/pure';
import { Argument, type Command } from 'commander';

import { loadCommand } from '../program.ts';
import { jsonOption } from '../output/format.ts';
import { OutputError } from '../output-error.ts';
import { printFound } from '../output/objects.ts';
import type { Terminal } from '../terminal.ts';
import { manPage } from './man.ts';
import { markdownIndex, markdownPage } from './markdown.ts';
import { type Page, pageOf } from './page.ts';

export function configure(command: Command, terminal: Terminal): void {
  const program = command.parent!;
  command
    .description('Writes the reference of all commands, a page for each, from what their help says.')
    .addArgument(new Argument('<format>').choices(['markdown', 'man']))
    .argument('<directory>', 'where to write; it is made, and pages that are there are replaced')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  ${program.name()} reference man ~/.local/share/man/man1
  ${program.name()} reference markdown docs/commands`,
    )
    .action(async (format: 'markdown' | 'man', directory: string, { json }: { json?: true }) => {
      for (const each of program.commands) await loadCommand(each);
      const files = filesOf(pageOf(program), format);
      await written(directory, () => mkdir(directory, { recursive: true }));
      for (const [name, content] of files) {
        const path = join(directory, name);
        await written(path, () => writeFileAtomic(path, content, { mode: 0o644 }));
      }
      const pages = [...files.keys()].map((name) => ({ file: join(directory, name) }));
      await printFound(terminal, { kind: json === true ? 'json' : 'table' }, pages, {
        single: false,
        text: () => `${pages.length} pages in ${directory}\n`,
      });
    });
}

/** The kernel names no file when the disk is full. @throws {OutputError} which does. */
async function written(path: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new OutputError(path, code);
  }
}

/** Pages by the names of their files. */
function filesOf(program: Page, format: 'markdown' | 'man'): ReadonlyMap<string, string> {
  const nameOf = ({ path }: Page): string => `${path.replaceAll(' ', '-')}.${format === 'man' ? '1' : 'md'}`;
  if (format === 'man')
    return new Map(
      [program, ...program.commands].map((page) => [nameOf(page), manPage(page, releaseVersion)]),
    );
  return new Map([
    ['README.md', markdownIndex(program, nameOf)],
    ...program.commands.map((page) => [nameOf(page), markdownPage(page)] as const),
  ]);
}
