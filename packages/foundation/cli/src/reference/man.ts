import { globalFlagsOf, type Item, type Page } from './page.ts';

/** A page of section 1 in roff, for a command and all below it. */
export function manPage(page: Page, version: string): string {
  const name = page.path.replaceAll(' ', '-');
  const lines = [
    `.TH "${name.toUpperCase()}" 1 "" "${escaped(`${name.split('-', 1)[0]} ${version}`)}"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(page.summary)}`,
    ...body(page),
  ];
  return `${lines.join('\n')}\n`;
}

function body(page: Page): string[] {
  const { path, usage, aliases, description, commands } = page;
  return [
    '.SH SYNOPSIS',
    `.B ${escaped(path)}`,
    escaped(usage),
    '.SH DESCRIPTION',
    ...text(description),
    ...(aliases.length > 0 ? ['.PP', `Also: ${escaped(aliases.join(', '))}.`] : []),
    ...list('ARGUMENTS', page.arguments),
    ...list('OPTIONS', page.flags),
    ...verbatim(page.notes),
    ...(page.examples.length > 0 ? ['.SH EXAMPLES', ...verbatim(page.examples.join('\n'))] : []),
    ...(commands.length > 0 ? ['.SH COMMANDS', ...commands.flatMap(subcommand)] : []),
    ...list('GLOBAL OPTIONS', globalFlagsOf(page)),
  ];
}

function subcommand(page: Page): string[] {
  const { path, usage, description } = page;
  return [
    `.SS "${escaped(`${path} ${usage}`).replaceAll('"', '\\(dq')}"`,
    ...text(description),
    ...items([...page.arguments, ...page.flags]),
    ...verbatim(page.notes),
    ...verbatim(page.examples.join('\n')),
    ...page.commands.flatMap(subcommand),
  ];
}

function list(heading: string, all: readonly Item[]): string[] {
  return all.length === 0 ? [] : [`.SH ${heading}`, ...items(all)];
}

function items(all: readonly Item[]): string[] {
  return all.flatMap(({ term, meaning }) => ['.TP', `\\fB${escaped(term)}\\fR`, ...text(meaning)]);
}

function text(words: string): string[] {
  return words.split('\n').map((line) => escaped(line.trim()));
}

/** As it stands: its columns mean something. */
function verbatim(words: string): string[] {
  return words === '' ? [] : ['.PP', '.nf', ...words.split('\n').map(escaped), '.fi'];
}

/** A line of roff begins with no dot or quote of ours, and a hyphen can be copied. */
function escaped(line: string): string {
  const plain = line.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/u.test(plain) ? `\\&${plain}` : plain;
}
