import type { SchemaNode } from '@nodecore/cgroup/schema';

import { shownNames } from './names.ts';
import type { CgroupsView, SeenCgroup } from './view.ts';

/** A row of the tree: its cgroup, as templates see it, and what stands in the first column. */
export type TreeRow = { readonly label: string; readonly cgroup: SeenCgroup; readonly node: SchemaNode };

type Branch = {
  readonly cgroup: SeenCgroup;
  readonly parent: Branch | undefined;
  readonly children: Branch[];
  readonly named: Map<string, Branch>;
};

/**
 * The cgroups of a view as a tree, siblings by name.
 *
 * @param rates counters are what they grew per second.
 */
export function treeRows(view: CgroupsView, { rates }: { readonly rates: boolean }): readonly TreeRow[] {
  const branches = new Map<string, Branch>();
  let root: Branch | undefined;
  for (const cgroup of view.cgroups) {
    const parent = branches.get(cgroup.path.slice(0, Math.max(1, cgroup.path.lastIndexOf('/'))));
    // One whose parent went in the middle of a sample went, too.
    if (root !== undefined && parent === undefined) continue;
    const branch: Branch = { cgroup, parent, children: [], named: new Map() };
    parent?.children.push(branch);
    branches.set(cgroup.path, branch);
    root ??= branch;
  }
  for (const { children, named } of branches.values()) {
    const names = shownNames(children.map(({ cgroup }) => cgroup));
    for (const [index, child] of children.entries()) named.set(names[index] ?? '', child);
  }
  if (root === undefined) return [];
  const nodes = new Map<Branch, Node>();
  const nodeOf = (branch: Branch): Node => {
    const node = nodes.get(branch) ?? new Node(branch, view, rates, nodeOf);
    nodes.set(branch, node);
    return node;
  };
  return [...rowsOf(root, { label: '.', indent: '' }, nodeOf)];
}

function* rowsOf(
  branch: Branch,
  { label, indent }: { readonly label: string; readonly indent: string },
  nodeOf: (branch: Branch) => Node,
): Generator<TreeRow> {
  yield { label, cgroup: branch.cgroup, node: nodeOf(branch) };
  const children = [...branch.named].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [name, child]] of children.entries()) {
    const isLast = index === children.length - 1;
    const place = {
      label: `${indent}${isLast ? '└── ' : '├── '}${name}`,
      indent: `${indent}${isLast ? '    ' : '│   '}`,
    };
    yield* rowsOf(child, place, nodeOf);
  }
}

/** A cgroup as templates see it. */
class Node implements SchemaNode {
  readonly #branch: Branch;
  readonly #view: CgroupsView;
  readonly #rates: boolean;
  readonly #nodeOf: (branch: Branch) => Node;
  /** Every column of a row and of its children asks for the same few files. */
  readonly #texts = new Map<string, string | undefined>();

  constructor(branch: Branch, view: CgroupsView, rates: boolean, nodeOf: (branch: Branch) => Node) {
    this.#branch = branch;
    this.#view = view;
    this.#rates = rates;
    this.#nodeOf = nodeOf;
  }

  get parent(): SchemaNode | undefined {
    const { parent } = this.#branch;
    return parent && this.#nodeOf(parent);
  }

  get children(): ReadonlyMap<string, SchemaNode> {
    return new Map([...this.#branch.named].map(([name, child]) => [name, this.#nodeOf(child)]));
  }

  get processNames(): readonly string[] {
    return this.#branch.cgroup.processes;
  }

  readonly text = (file: string): string | undefined => {
    if (!this.#texts.has(file)) {
      const { cgroup } = this.#branch;
      this.#texts.set(file, this.#rates ? cgroup.ratedText(file) : cgroup.text(file));
    }
    return this.#texts.get(file);
  };

  readonly deviceName = (number: string): string | undefined => this.#view.deviceName(number);
}
