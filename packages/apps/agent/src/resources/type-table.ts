import { namesOf, type ResourceDefinition, resolveType } from '@nodecore/api';

const begin =
  '<!-- Written by `npm run generate` from the definitions of the features in packages/apps/agent/src. -->\n';
const end = '<!-- End of what is written. -->';

/** Which types of resources there are: the part of a page between two comments, made again. */
export function withTypeTable(page: string, definitions: readonly ResourceDefinition[]): string {
  const [before, rest] = page.split(begin);
  const after = rest?.slice(rest.indexOf(end));
  if (before === undefined || after === undefined) throw new Error('the page has no place for the types');
  return `${before}${begin}\n${table(definitions)}\n${after}`;
}

/** How `osctl get` asks for a type: by the shortest name that means no other. */
export function exampleOf(
  definition: ResourceDefinition,
  definitions: readonly ResourceDefinition[],
): string {
  const [name = definition.type] = [...namesOf(definition)]
    .filter((each) => resolveType(definitions, each).length === 1)
    .toSorted((a, b) => a.length - b.length);
  return `osctl get ${name}`;
}

function table(definitions: readonly ResourceDefinition[]): string {
  const rows = definitions.map((definition) => {
    const { type, aliases, printColumns, sensitive, description } = definition;
    const columns = printColumns.map(({ name }) => name).join(', ');
    const names = aliases.map((alias) => `\`${alias}\``).join(' ');
    const example = `\`${exampleOf(definition, definitions)}\``;
    const about = `${description}${sensitive ? ' **Only os:admin.**' : ''}`;
    return `| ${[`\`${type}\``, names, example, columns, about].join(' | ')} |`;
  });
  return ['| Type | Aliases | Example | Columns | About |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}
