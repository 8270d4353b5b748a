import type { Changes } from './change.ts';
import { NewError } from './errors.ts';
import type { Name } from './name.ts';

const osctl = 'packages/apps/osctl';

/** A command of osctl: its folder, its entry in the registry, what it says as JSON, a test and a page. */
export async function newCommand(changes: Changes, name: Name): Promise<void> {
  const { kebab } = name;
  await refuseKnown(changes, name);
  changes.refuse(`${osctl}/src/${kebab}`);
  changes.create(`${osctl}/src/${kebab}/command.ts`, flagsOf(name));
  changes.create(`${osctl}/src/${kebab}/${kebab}.ts`, workOf(name));
  changes.create(`${osctl}/test/${kebab}.test.ts`, testOf(name));
  changes.create(`docs/${kebab}.md`, pageOf(name));
  await changes.edit(`${osctl}/src/commands.ts`, (text) =>
    text.replace('  ...completionCommands,\n', `${registryEntry(name)}$&`),
  );
  await changes.edit(`${osctl}/src/schema/answers/machines.ts`, (text) =>
    text.replace(
      'export const machineAnswers: Answers = {\n',
      `$&  '${kebab}': list(closed({ ...node, version: text() })),\n`,
    ),
  );
  const absent = `${osctl}/src/absent-commands.ts`;
  const line = new RegExp(`^  '?${kebab}'?: .*\\n`, 'mu');
  if (line.test(await changes.read(absent))) await changes.edit(absent, (text) => text.replace(line, ''));
}

async function refuseKnown(changes: Changes, { kebab }: Name): Promise<void> {
  const registry = await changes.read(`${osctl}/src/commands.ts`);
  const names = Array.from(registry.matchAll(/(?:name: |aliases: \[)([^\]\n]+)/gu), ([, text = '']) =>
    Array.from(text.matchAll(/'([^']+)'/gu), ([, known]) => known),
  ).flat();
  if (names.includes(kebab)) throw new NewError('ERR_NEW_EXISTS', `osctl ${kebab} exists`);
}

function registryEntry({ kebab, words }: Name): string {
  return `  {
    name: '${kebab}',
    summary: 'show the ${words} of nodes',
    load: () => import('./${kebab}/command.ts'),
  },
`;
}

function flagsOf({ kebab, pascal, words }: Name): string {
  return `import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

type Flags = { readonly output: string };

export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Shows the ${words} of nodes. Needs os:reader.')
    .addOption(formatOption())
    .addHelpText('after', examples('osctl ${kebab} -n 10.5.0.2'));
  callsMethods(command, 'MachineService/Version');
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { print${pascal} } = await import('./${kebab}.ts');
    await print${pascal}({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
`;
}

function workOf({ camel, pascal, words }: Name): string {
  return `import { formatObjects, print, readFormat, Table, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';

/** The ${words} of one node, as -o json and yaml show it. */
type ${pascal} = { readonly node: string; readonly version: string };

/** Prints the ${words} of all nodes. */
export async function print${pascal}(
  flags: GlobalFlags & { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, (target) =>
    ${camel}Of(target, terminal.signal),
  );
  const found = results.map(({ result }) => result);
  if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(found, format, { single: false }));
  else if (found.length > 0) {
    const rows = found.map(({ node, version }) => [node, version]);
    await print(terminal.out, new Table(['node', 'version']).format(rows));
  }
  throwFailures();
}

async function ${camel}Of({ name, client, node }: Target, signal: AbortSignal): Promise<${pascal}> {
  const { version } = await client.version({ node, signal });
  return { node: name, version };
}
`;
}

function testOf({ kebab, words }: Name): string {
  return `import test from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

test('${kebab} prints a row for each node, and objects for programs', async (t) => {
  const { endpoint } = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const table = await osctl(['${kebab}'], { env });
  t.is(table.code, 0, table.error);
  t.true(table.out.includes(endpoint));
  const json = await osctl(['${kebab}', '-o', 'json'], { env });
  const [first] = JSON.parse(json.out) as { node: string }[];
  t.is(first?.node, endpoint, 'the ${words} of the node');
});
`;
}

function pageOf({ kebab, words }: Name): string {
  return `# ${words.charAt(0).toUpperCase()}${words.slice(1)}

\`osctl ${kebab}\` shows the ${words} of nodes. It needs \`os:reader\`. With \`-o json\` it prints one object per node.
`;
}
