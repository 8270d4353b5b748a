import { stringify } from 'yaml';

import type { Resource } from '../../gen/nodecore-v1.js';
import type { ResourceDefinition } from '../definition.ts';
import { showResource } from '../readings/shown-resource.ts';
import { decodeSpec } from '../spec.ts';
import type { Body, ColumnOf, Room } from './body.ts';
import { type BrowseView, type List, placeOf } from './browse-view.ts';
import { cellsOf, fit } from './cells.ts';
import { field } from './gauges.ts';
import { header } from './header.ts';
import { absenceOf, type NodeModel, type Table, valueOf } from './model.ts';
import { idOf } from './resource-browser.ts';

/** The resources of a node: what kinds there are, those of a kind, and one as YAML. */
export function resourceScreen(model: NodeModel, room: Room): Body {
  const { browse } = room;
  const above = header(model, room);
  const { kind, id } = browse;
  if (kind === undefined) return kindList(model, above, room);
  const { table } = model.browsed ?? {};
  if (table?.definition.type !== kind)
    return listOf(
      { above, title: [kind, 'waiting for the node'], headers: [], rows: [], list: undefined },
      room,
    );
  return id === undefined ? resourceList(table, above, room) : oneResource(table, id, above, room);
}

type Row = { readonly name: string; readonly cells: readonly string[] };

function kindList({ browsed }: NodeModel, above: readonly string[], room: Room): Body {
  const kinds = browsed?.kinds;
  const rows = (valueOf(kinds) ?? []).map(kindRow);
  const state = valueOf(kinds) === undefined ? absenceOf(kinds) : undefined;
  const { kinds: list } = room.browse;
  return listOf({ above, title: ['Kinds', state], headers: ['KIND', 'ALIASES', 'SAYS'], rows, list }, room);
}

function kindRow({ type, aliases, description, sensitive }: ResourceDefinition): Row {
  const says = sensitive ? `For os:admin alone. ${description}` : description;
  return { name: type, cells: [type, aliases.join(', '), says] };
}

function resourceList(table: Table, above: readonly string[], room: Room): Body {
  const { definition, resources, interruption } = table;
  const rows = (valueOf(resources) ?? []).map((each) => ({
    name: idOf(each),
    cells: rowOf(definition, each, room.columnOf),
  }));
  const state = valueOf(resources) === undefined ? absenceOf(resources) : interruption && `! ${interruption}`;
  const headers = ['ID', 'VERSION', ...definition.printColumns.map(({ name }) => name.toUpperCase())];
  const { resources: list } = room.browse;
  return listOf({ above, title: [definition.type, state], headers, rows, list }, room);
}

type Listed = {
  readonly above: readonly string[];
  /** What the rows are, and why there may be none, or old ones. */
  readonly title: readonly [name: string, state: string | undefined];
  readonly headers: readonly string[];
  readonly rows: readonly Row[];
  /** Undefined where there is nothing to choose from yet. */
  readonly list: List | undefined;
};

/** Rows that have the words of the filter, with a mark at the chosen one, which stays in the window. */
function listOf({ above, title: [name, state], headers, rows, list }: Listed, room: Room): Body {
  const words = (list?.filter ?? '').toLowerCase().split(' ').filter(Boolean);
  const shown = rows.filter(({ cells }) => {
    const text = cells.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const names = shown.map((row) => row.name);
  const counted = words.length === 0 ? `${rows.length}` : `${shown.length} of ${rows.length}`;
  const top = [...above, '', `${name}   ${state ?? counted}`, ...filterLines(list, room.browse)];
  const page = Math.max(0, room.height - top.length - 1);
  const at = list === undefined ? -1 : placeOf(list, names);
  const first = Math.max(0, Math.min(at - Math.floor(page / 2), shown.length - page));
  const widths = widthsOf([headers, ...shown.map(({ cells }) => cells)]);
  // The window ends the last one.
  const line = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index < cells.length - 1 ? fit(cell, widths[index] ?? 0) : cell)).join('  ');
  const window = shown
    .slice(first, first + page)
    .map(({ cells }, index) => `${first + index === at ? '>' : ' '} ${line(cells)}`);
  const head = rows.length === 0 ? [] : [`  ${line(headers)}`];
  return { lines: [...top, ...head, ...window], extent: { lines: shown.length, page, names } };
}

function filterLines(list: List | undefined, { isTyping }: BrowseView): readonly string[] {
  if (list === undefined || (list.filter === '' && !isTyping)) return [];
  return [field('Filter', `${list.filter}${isTyping ? '_' : ''}`)];
}

/** Wide enough for each cell, but no column takes the room of all others. */
const widest = 48;

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const [headers = []] = rows;
  return headers.map((_, index) =>
    Math.min(widest, Math.max(0, ...rows.map((cells) => cellsOf((cells[index] ?? '').slice(0, widest))))),
  );
}

function oneResource(table: Table, id: string, above: readonly string[], room: Room): Body {
  const { definition, resources, interruption } = table;
  const found = valueOf(resources)?.find((each) => idOf(each) === id);
  const lines = found === undefined ? [] : yamlOf(found);
  const absence = valueOf(resources) === undefined ? absenceOf(resources) : 'it is gone';
  const state = found === undefined ? absence : interruption && `! ${interruption}`;
  const top = [...above, '', `${definition.displayType} ${id}${state === undefined ? '' : `   ${state}`}`];
  const page = Math.max(0, room.height - top.length);
  const first = Math.max(0, Math.min(room.browse.scroll, lines.length - page));
  return {
    lines: [...top, ...lines.slice(first, first + page)],
    extent: { lines: lines.length, page, names: [] },
  };
}

const paths = new WeakMap<ResourceDefinition, readonly (ReturnType<ColumnOf> | undefined)[]>();
const rowsOf = new WeakMap<Resource, readonly string[]>();
const yamls = new WeakMap<Resource, readonly string[]>();

/** The cells of a resource: they are the same in every frame. */
function rowOf(definition: ResourceDefinition, resource: Resource, columnOf: ColumnOf): readonly string[] {
  return kept(rowsOf, resource, () => {
    const columns = kept(paths, definition, () =>
      definition.printColumns.map((column) => readerOf(column, columnOf)),
    );
    const spec = specOf(resource);
    const version = String(resource.metadata?.version ?? '');
    return [idOf(resource), version, ...columns.map((read) => read?.(spec) ?? '')];
  });
}

/** As `osctl get -o yaml` prints it, but for the node, which stands above. */
function yamlOf(resource: Resource): readonly string[] {
  return kept(yamls, resource, () => {
    if (specOf(resource) === undefined) return ['its spec is no JSON'];
    const { metadata, spec } = showResource('', resource);
    return stringify({ metadata, spec }, { lineWidth: 0, aliasDuplicateObjects: false })
      .trimEnd()
      .split('\n');
  });
}

/** Undefined for bytes that are no JSON: a frame is drawn whatever a node sends. */
function specOf({ spec }: Resource): unknown {
  try {
    return decodeSpec(spec);
  } catch {
    return undefined;
  }
}

function readerOf(
  { jsonPath }: ResourceDefinition['printColumns'][number],
  columnOf: ColumnOf,
): ReturnType<ColumnOf> | undefined {
  try {
    return columnOf(jsonPath);
  } catch {
    return undefined; // of a version that knows more of paths
  }
}

function kept<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}
