import { type Format, printFound, Table, type Terminal } from '@nodecore/cli';
import { showResource } from '@nodecore/api/readings';

import type { Query } from '../get/kind.ts';
import { Columns } from '../get/rows.ts';
import { everyNode } from '../nodes/every-node.ts';
import type { Target } from '../nodes/target.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

/** Waits at all nodes at once, then prints what there was when it was as wanted. */
export async function waitAndPrint(
  targets: readonly Target[],
  query: Query,
  options: WaitOptions,
  format: Format,
  terminal: Terminal,
): Promise<void> {
  const { results, throwFailures } = await everyNode(targets, (target) =>
    waitFor(target, query, options, terminal),
  );
  const [first] = results;
  const objects = results.flatMap(({ target, result }) =>
    result.resources.map((resource) => showResource(target.name, resource)),
  );
  await printFound(terminal, format, objects, {
    single: query.id !== undefined && targets.length === 1 && objects.length === 1,
    text: () => {
      if (first === undefined || objects.length === 0) return '';
      const columns = new Columns(first.result.definition, { watch: false });
      const rows = results.flatMap(({ target, result }) =>
        result.resources.map((resource) => columns.row(target.name, resource)),
      );
      return new Table(columns.headers).format(rows);
    },
  });
  throwFailures();
}
