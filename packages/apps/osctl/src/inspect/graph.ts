import { type ControllerDependency, DependencyType } from '@nodecore/api/inspect';
import { printable } from '@nodecore/cli';

const outputs: ReadonlySet<DependencyType> = new Set([
  DependencyType.OUTPUT_EXCLUSIVE,
  DependencyType.OUTPUT_SHARED,
]);

const kinds: Readonly<Record<DependencyType, string>> = {
  [DependencyType.OUTPUT_EXCLUSIVE]: 'outputExclusive',
  [DependencyType.OUTPUT_SHARED]: 'outputShared',
  [DependencyType.INPUT_STRONG]: 'inputStrong',
  [DependencyType.INPUT_WEAK]: 'inputWeak',
  [DependencyType.INPUT_DESTROY_READY]: 'inputDestroyReady',
  [DependencyType.NEED]: 'need',
};

/** An edge for programs. Without an `id` it is of all resources of its type; only a need has neither. */
export function showEdge(edge: ControllerDependency): Readonly<Record<string, string>> {
  const { controllerName: part, type, need, resourceNamespace, resourceType, resourceId } = edge;
  const kind = kinds[type] ?? 'unknown'; // a newer node may have more
  if (type === DependencyType.NEED) return { part, kind, need };
  return {
    part,
    kind,
    namespace: resourceNamespace,
    type: resourceType,
    ...(resourceId !== '' && { id: resourceId }),
  };
}

/** How the edge to or from a resource looks, by what it means. */
const styles: ReadonlyMap<DependencyType, string> = new Map([
  [DependencyType.OUTPUT_EXCLUSIVE, 'style=bold'],
  [DependencyType.OUTPUT_SHARED, 'style=solid'],
  [DependencyType.INPUT_STRONG, 'style=solid'],
  [DependencyType.INPUT_WEAK, 'style=dotted'],
  [DependencyType.INPUT_DESTROY_READY, 'style=solid, color=red'],
]);

/**
 * The edges in the language of Graphviz. Parts of the node are boxes, and a dashed arrow leads to a part from one that it needs.
 * Resources are notes between their writers and readers; without them an arrow leads from a writer to each reader.
 */
export function graphOf(
  edges: readonly ControllerDependency[],
  { withResources }: { readonly withResources: boolean },
): string {
  const controllers = new Set(edges.flatMap(({ controllerName, need }) => [controllerName, need]));
  const needs = edges.filter(({ type }) => type === DependencyType.NEED);
  const meetings = edges.filter(({ type }) => type !== DependencyType.NEED);
  const lines = [
    ...[...controllers].filter((name) => name !== '').map((name) => `${quoted(name)} [shape=box];`),
    ...(withResources ? notes(meetings) : []),
    ...needs.map(({ controllerName, need }) => `${arrow(need, controllerName)} [style=dashed];`),
    ...(withResources ? meetings.map(resourceArrow) : readerArrows(meetings)),
  ];
  return ['digraph {', '  rankdir=LR;', ...lines.map((line) => `  ${line}`), '}', ''].join('\n');
}

function notes(meetings: readonly ControllerDependency[]): readonly string[] {
  return [...new Set(meetings.map(resourceOf))].map((name) => `${quoted(name)} [shape=note];`);
}

function resourceArrow(edge: ControllerDependency): string {
  const [part, resource] = [edge.controllerName, resourceOf(edge)];
  const way = outputs.has(edge.type) ? arrow(part, resource) : arrow(resource, part);
  return `${way} [${labelled(edge.resourceId)}${styles.get(edge.type) ?? 'style=solid'}];`;
}

function readerArrows(meetings: readonly ControllerDependency[]): readonly string[] {
  const writers = meetings.filter(({ type }) => outputs.has(type));
  const readers = meetings.filter(({ type }) => !outputs.has(type));
  return writers.flatMap((writer) =>
    readers
      .filter((reader) => resourceOf(reader) === resourceOf(writer) && meet(reader, writer))
      .filter(({ controllerName }) => controllerName !== writer.controllerName)
      .map((reader) => {
        const style = styles.get(reader.type) ?? 'style=solid';
        return `${arrow(writer.controllerName, reader.controllerName)} [label=${quoted(nameOf(writer))}, ${style}];`;
      }),
  );
}

/** `runtime/Disks.block.nodecore.dev`: who reads one of them and who writes all of them meet in the same note. */
function resourceOf({ resourceNamespace, resourceType }: ControllerDependency): string {
  return `${resourceNamespace}/${resourceType}`;
}

/** Whether some resource belongs to both edges of one type: without an id an edge is of all of them. */
function meet(one: ControllerDependency, other: ControllerDependency): boolean {
  const ids = [one.resourceId, other.resourceId];
  return ids.includes('') || ids[0] === ids[1];
}

/** The id, where an edge is of one resource only. */
function labelled(id: string): string {
  return id === '' ? '' : `label=${quoted(id)}, `;
}

/** `Disks`, which is short enough for an arrow. */
function nameOf({ resourceType }: ControllerDependency): string {
  return resourceType.split('.', 1)[0] ?? resourceType;
}

function arrow(from: string, to: string): string {
  return `${quoted(from)} -> ${quoted(to)}`;
}

/** As Graphviz reads it: a quote would end the name, and a backslash in front of the closing one would keep it open. */
function quoted(text: string): string {
  return `"${printable(text).replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
