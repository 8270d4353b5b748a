import type { CgroupName } from '@nodecore/api/cgroup';
import { Budget, type CompiledColumn, type Schema } from '@nodecore/cgroup/schema';

import { Table } from '@nodecore/cli';
import { treeRows } from './tree.ts';
import { ratesOf, type Values, valuesOf } from './values.ts';
import type { CgroupsView } from './view.ts';

export type NodeView = { readonly node: string; readonly view: CgroupsView };

/** Lays the trees of nodes out under the columns of a schema. */
export class CgroupsTable {
  readonly #schema: Schema;
  readonly #nodes: boolean;
  readonly #rates: boolean;

  /** @param options whether there is a column for the node, and whether counters are shown per second. */
  constructor(schema: Schema, options: { readonly nodes: boolean; readonly rates: boolean }) {
    this.#schema = schema;
    this.#nodes = options.nodes;
    this.#rates = options.rates;
  }

  format(views: readonly NodeView[]): string {
    const columns = this.#schema.columns.map((column) => (this.#rates ? rateHeader(column) : column.name));
    const headers = [...(this.#nodes ? ['NODE'] : []), 'NAME', ...columns];
    const budget = new Budget();
    const rows = views.flatMap(({ node, view }) =>
      treeRows(view, { rates: this.#rates }).map((row) => [
        ...(this.#nodes ? [node] : []),
        row.label,
        ...this.#schema.row(row.node, budget),
      ]),
    );
    return new Table(headers, { verbatim: true }).format(rows);
  }
}

/** A share has no unit; what comes from a counter is per second. */
function rateHeader({ name, sources }: CompiledColumn): string {
  return sources.some(({ counter }) => counter) && !name.endsWith('%') ? `${name}/s` : name;
}

/** One cgroup in structured output. */
export type ShownCgroup = {
  readonly node: string;
  readonly cgroup: string;
  readonly name?: Pick<CgroupName, 'kind' | 'name' | 'id'> & { readonly runtime?: string };
  /** Names, where a column asks for them. */
  readonly processes?: readonly string[];
  readonly values: Values;
  /** Per second. */
  readonly rates?: Values;
};

/** One object per cgroup, parents before children, for -o json and the like; rates are complete from the second sample on. */
export function objectsOf(
  node: string,
  view: CgroupsView,
  schema: Schema,
  { rates }: { readonly rates: boolean },
): readonly ShownCgroup[] {
  const budget = new Budget();
  return treeRows(view, { rates }).map(({ cgroup, node: seen }) => {
    const { name } = cgroup;
    return {
      node,
      cgroup: cgroup.path,
      ...(name !== undefined && {
        name: {
          kind: name.kind,
          name: name.name,
          id: name.id,
          ...(name.runtime !== '' && { runtime: name.runtime }),
        },
      }),
      ...(schema.processNames && { processes: cgroup.processes }),
      values: valuesOf(schema, seen, cgroup, budget),
      ...(rates && { rates: ratesOf(schema, seen, cgroup) }),
    };
  });
}
