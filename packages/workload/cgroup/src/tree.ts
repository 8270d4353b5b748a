import type { CgroupNode } from './node.ts';

/** A tree of cgroups as one scan found it. */
export type CgroupTree = {
  /** Directory of the root. */
  readonly directory: string;
  readonly root: CgroupNode;
  /** Parents before children, siblings by name. */
  readonly nodes: readonly CgroupNode[];
  /** By path below the root: `/`, `/system.slice`. */
  readonly find: (path: string) => CgroupNode | undefined;
  /** Those that the reader's scan before this one did not have; at the first scan all. */
  readonly appeared: readonly CgroupNode[];
  /** Those that it had and that are gone. */
  readonly gone: readonly GoneCgroup[];
  /** How many descriptors are kept open for the next scan, and how many may be. */
  readonly descriptors: { readonly held: number; readonly limit: number };
  /** Whose numbers the nodes have; trees of one reader can be compared. */
  readonly reader: symbol;
};

export type GoneCgroup = { readonly id: number; readonly path: string };
