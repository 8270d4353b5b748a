import { countersOf, rateFiles } from './counters.ts';
import type { CgroupNode } from './node.ts';
import type { CgroupTree } from './tree.ts';

/** How fast a counter grew. */
export type Rate =
  | { readonly delta: number; readonly perSecond: number }
  /** It is lower than it was: it began anew (or wrapped), and nothing can be said about the time between. */
  | { readonly reset: true };

/** The counters of one cgroup between two reads of it. */
export type NodeRates = {
  readonly node: CgroupNode;
  /** Between the reads of this very cgroup, by CLOCK_MONOTONIC; not the planned interval. */
  readonly elapsedNs: bigint;
  /** By file, line and name: `cpu.stat usage_usec`, `io.stat 8:0 rbytes`, `memory.pressure some total`. */
  readonly counters: ReadonlyMap<string, Rate>;
};

/**
 * The rates of every cgroup that both trees have. One that was removed and made again by the same name is another one,
 * and has none.
 *
 * @throws {TypeError} when the trees are not of one reader: their numbers mean nothing to each other.
 */
export function ratesBetween(before: CgroupTree, after: CgroupTree): readonly NodeRates[] {
  if (before.reader !== after.reader) throw new TypeError('rates between trees of two readers');
  const earlier = new Map(before.nodes.map((node) => [node.id, node]));
  return after.nodes.flatMap((node) => {
    const then = earlier.get(node.id);
    return then === undefined ? [] : ratesOf(then, node);
  });
}

function ratesOf(then: CgroupNode, node: CgroupNode): NodeRates | [] {
  const elapsedNs = node.takenNs - then.takenNs;
  if (elapsedNs <= 0n) return [];
  const counters = new Map<string, Rate>();
  for (const file of rateFiles) {
    const earlier = countersOf(file, then.text(file));
    for (const [name, value] of countersOf(file, node.text(file))) {
      const old = earlier.get(name);
      if (old !== undefined) counters.set(`${file} ${name}`, rate(old, value, elapsedNs));
    }
  }
  return { node, elapsedNs, counters };
}

/** The rate of one counter. */
export function rate(before: number, after: number, elapsedNs: bigint): Rate {
  if (after < before) return { reset: true };
  const delta = after - before;
  return { delta, perSecond: (delta * 1e9) / Number(elapsedNs) };
}
