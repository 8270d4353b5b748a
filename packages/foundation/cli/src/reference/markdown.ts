import { globalFlagsOf, type Item, type Page } from './page.ts';

/** A page of Markdown for a command and all below it. */
export function markdownPage(page: Page): string {
  return `${section(page, 1).join('\n\n')}\n`;
}

/** A list of all commands with links to their pages. */
export function markdownIndex(program: Page, fileOf: (page: Page) => string): string {
  const rows = program.commands.map(
    (page) => `| [\`${page.path}\`](${fileOf(page)}) | ${cell(page.summary)} |`,
  );
  const parts = [
    `# ${program.path}`,
    cell(program.description),
    ['| Command | |', '|---|---|', ...rows].join('\n'),
    ...list('Global flags', program.globalFlags),
    ...words(program.notes),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(page: Page, depth: number): string[] {
  const { path, usage, aliases, description } = page;
  return [
    `${'#'.repeat(depth)} ${path}`,
    cell(description),
    fenced(`${path} ${usage}`),
    ...(aliases.length > 0 ? [`Also: ${aliases.map((each) => `\`${each}\``).join(', ')}.`] : []),
    ...list('Argument', page.arguments),
    ...list('Flag', page.flags),
    ...words(page.notes),
    ...(page.examples.length > 0 ? [fenced(page.examples.join('\n'))] : []),
    ...(depth === 1 ? list('Global flag', globalFlagsOf(page)) : []),
    ...page.commands.flatMap((each) => section(each, depth + 1)),
  ];
}

function list(heading: string, items: readonly Item[]): string[] {
  if (items.length === 0) return [];
  const rows = items.map(({ term, meaning }) => `| \`${term.replaceAll('|', '\\|')}\` | ${cell(meaning)} |`);
  return [[`| ${heading} | |`, '|---|---|', ...rows].join('\n')];
}

/** Its columns mean something. */
function words(text: string): string[] {
  return text === '' ? [] : [fenced(text)];
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}

function cell(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/gu, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}
