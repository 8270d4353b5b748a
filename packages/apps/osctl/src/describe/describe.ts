import { ApiError, listAll, type ResourceDefinition } from '@nodecore/api';
import { printable, printFound, readFormat, type Terminal } from '@nodecore/cli';
import { showResource, type ShownResource } from '@nodecore/api/readings';
import { stringifyJson } from '@nodecore/sys/pure';
import { stringify as yaml } from 'yaml';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import type { Query } from '../get/kind.ts';
import { askFor } from '../get/once.ts';
import { Selection, type SelectionFlags } from '../get/selection.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { fieldsOf } from '../output/fields.ts';
import { age } from '../service/age.ts';

/** What a part of the node waits for, or fails at. */
type Wait = { readonly controller: string; readonly phase: string; readonly reason: string };

type Description = ShownResource & { readonly description: string; readonly waits: readonly Wait[] };

export type DescribeFlags = GlobalFlags & MaintenanceFlags & SelectionFlags & { readonly output: string };

/** Prints each resource as a block: where it is from, what it says, and who waits. */
export async function describeResources(
  query: Query,
  flags: DescribeFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const selection = new Selection(flags);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, async (target) => {
    const [{ definition, resources }, waits] = await Promise.all([
      askFor(target, query, selection, terminal.signal),
      waitsOf(target, terminal.signal),
    ]);
    return resources.map((resource) =>
      descriptionOf(
        showResource(target.name, resource),
        definition,
        waits.get(resource.metadata?.id ?? '') ?? [],
      ),
    );
  });
  const found = results.flatMap(({ result }) => result);
  await printFound(terminal, format, found, {
    single: query.id !== undefined && targets.all.length === 1,
    text: () => found.map(blockOf).join('\n'),
  });
  throwFailures();
}

function descriptionOf(
  shown: ShownResource,
  { description }: ResourceDefinition,
  waits: readonly Wait[],
): Description {
  const { node, metadata, spec } = shown;
  return { node, description, metadata, spec, waits };
}

/** By the item that a controller waits with, which is the id of what it is about. A node without such resources has none. */
async function waitsOf({ client, node }: Target, signal: AbortSignal): Promise<ReadonlyMap<string, Wait[]>> {
  const waits = new Map<string, Wait[]>();
  try {
    const { resources } = await listAll(
      client,
      { type: 'ControllerItems.runtime.nodecore.dev' },
      { node, signal },
    );
    for (const resource of resources) {
      const { controller, item, phase, reason } = fieldsOf(resource) as Wait & { readonly item: string };
      waits.set(item, [...(waits.get(item) ?? []), { controller, phase, reason }]);
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'ERR_API_NOT_FOUND') throw error;
  }
  return waits;
}

function blockOf({ node, description, metadata, spec, waits }: Description): string {
  const facts: (readonly [string, unknown])[] = [
    ['node', node],
    ...Object.entries(metadata),
    ['about', description],
  ];
  const width = Math.max(...facts.map(([name]) => name.length)) + 4;
  const lines = facts.map(
    ([name, value]) => `${`${titled(name)}:`.padEnd(width)}${printable(textOf(name, value))}`,
  );
  const waiting = waits.map(
    ({ controller, phase, reason }) => `  ${printable(`${controller} is ${phase}: ${reason}`)}`,
  );
  return [
    ...lines,
    'Spec:',
    ...indented(spec),
    ...(waiting.length > 0 ? ['Waits:', ...waiting] : []),
    '',
  ].join('\n');
}

function titled(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

function textOf(name: string, value: unknown): string {
  if ((name === 'created' || name === 'updated') && typeof value === 'string')
    return `${value} (${age(value)} ago)`;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, each]) => `${key}=${String(each)}`)
      .join(', ');
  return typeof value === 'string' ? value : stringifyJson(value ?? '');
}

/** The lines of YAML are ours, what is in them is the node's. */
function indented(spec: unknown): readonly string[] {
  const text = typeof spec === 'string' ? spec : yaml(spec, { lineWidth: 0, aliasDuplicateObjects: false });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${printable(line)}`);
}
