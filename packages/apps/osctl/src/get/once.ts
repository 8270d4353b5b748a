import { listAll, type ResourceDefinition } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';
import { type Format, formatObjects, print, Table, type Terminal } from '@nodecore/cli';
import { showResource } from '@nodecore/api/readings';
import { everyNode } from '../nodes/every-node.ts';
import type { Target } from '../nodes/target.ts';
import { findDefinition, type Query, tellFormerName } from './kind.ts';
import { Columns } from './rows.ts';
import type { Selection } from './selection.ts';

type Answer = { readonly definition: ResourceDefinition; readonly resources: readonly Resource[] };

/** Prints what exists now. Nodes that failed come last, as an error. */
export async function getResources(
  targets: readonly Target[],
  { selection, ...query }: Query & { readonly selection: Selection },
  format: Format,
  terminal: Terminal,
): Promise<void> {
  const { results, throwFailures } = await everyNode(targets, (target) =>
    askFor(target, query, selection, terminal.signal),
  );
  const [first] = results;
  if (first !== undefined) tellFormerName(first.result.definition, query.type, terminal);
  if (format.kind === 'table') {
    if (first !== undefined) {
      const columns = new Columns(first.result.definition, { watch: false });
      const rows = results.flatMap(({ target, result }) =>
        result.resources.map((resource) => columns.row(target.name, resource)),
      );
      await print(terminal.out, new Table(columns.headers).format(rows));
    }
  } else if (first !== undefined || targets.length > 1) {
    const objects = results.flatMap(({ target, result }) =>
      result.resources.map((resource) => showResource(target.name, resource)),
    );
    const single = query.id !== undefined && targets.length === 1;
    await print(terminal.out, await formatObjects(objects, format, { single }));
  }
  throwFailures();
}

/** The resources of a node that are meant, and their definition. */
export async function askFor(
  target: Target,
  query: Query,
  selection: Selection,
  signal: AbortSignal,
): Promise<Answer> {
  const options = { node: target.node, signal };
  const definition = await findDefinition(target, query.type, options);
  const { type } = definition;
  const { id, namespace = definition.defaultNamespace } = query;
  const all = async (): Promise<readonly Resource[]> => {
    if (id === undefined) return (await listAll(target.client, { type, namespace }, options)).resources;
    const { resource } = await target.client.get({ type, namespace, id }, options);
    return resource === undefined ? [] : [resource];
  };
  return { definition, resources: (await all()).filter((resource) => selection.has(resource)) };
}
