import { follow, type Change } from '@nodecore/api';
import { type Format, formatStreamed, print, Table, type Terminal } from '@nodecore/cli';
import { showResource } from '@nodecore/api/readings';
import { errorLines } from '../error-lines.ts';
import { PartialError } from '../errors.ts';
import { everyNode } from '../nodes/every-node.ts';
import type { Target } from '../nodes/target.ts';
import { findDefinition, type Query, tellFormerName } from './kind.ts';
import { Columns } from './rows.ts';
import type { Selection } from './selection.ts';

const markers = { created: '+', updated: '', destroyed: '-' } as const;

/**
 * Prints what exists and then every change, until interrupted. A node that fails for good is told of when that happens, as the others
 * go on; at the end, when there are no others.
 */
export async function watchResources(
  targets: readonly Target[],
  { selection, ...query }: Query & { readonly selection: Selection },
  format: Format,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal;
  let table: Table | undefined; // of all nodes: one header
  let isTold = false;
  const onInterruption = (error: unknown): void => {
    terminal.error.write(`osctl: ${errorLines(error)[0]}; connecting again\n`);
  };
  const watch = async (target: Target): Promise<void> => {
    const options = { node: target.node, signal };
    const definition = await findDefinition(target, query.type, options);
    if (!isTold) tellFormerName(definition, query.type, terminal);
    isTold = true;
    const columns = new Columns(definition, { watch: true });
    const { namespace = definition.defaultNamespace, id } = query;
    const what = { type: definition.type, namespace, ...(id === undefined ? {} : { id }) };
    const select = selection.follow();
    for await (const changes of follow(target.client, what, { ...options, onInterruption })) {
      const seen = changes.flatMap(select).filter((change) => change.kind !== 'bootstrapped');
      if (format.kind === 'table') {
        table ??= new Table(columns.headers);
        await print(terminal.out, table.format(seen.map((change) => row(columns, target, change))));
      } else {
        for (const { kind, resource } of seen)
          await print(terminal.out, await formatStreamed(showResource(target.name, resource, kind), format));
      }
    }
  };
  let going = targets.length;
  const tellEnd = (target: Target, error: unknown): void => {
    going -= 1;
    if (going === 0 || signal.aborted) return;
    const failed = new PartialError([{ node: target.name, error, direct: target.direct }], targets.length);
    terminal.error.write(`osctl: ${errorLines(failed)[0]}; the other nodes are watched on\n`);
  };
  const { throwFailures } = await everyNode(targets, async (target) => {
    try {
      await watch(target);
    } catch (error) {
      tellEnd(target, error);
      throw error;
    }
  });
  throwFailures();
}

function row(
  columns: Columns,
  { name }: Target,
  change: Exclude<Change, { kind: 'bootstrapped' }>,
): string[] {
  return columns.row(name, change.resource, markers[change.kind]);
}
