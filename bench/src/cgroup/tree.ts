import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { findHierarchy } from '@nodecore/cgroup';

/** Files that every cgroup has, whatever controllers there are. */
export const files: readonly string[] = [
  'cgroup.controllers',
  'cgroup.events',
  'cgroup.procs',
  'cgroup.stat',
  'cpu.pressure',
  'cpu.stat',
  'io.pressure',
  'memory.pressure',
];

export type Tree = {
  readonly directory: string;
  /** Below the directory, with a slash in front. */
  readonly paths: readonly string[];
};

/** Idle cgroups, twenty in each of their parents, which go away with the stack. */
export async function makeTree(stack: AsyncDisposableStack, count: number): Promise<Tree> {
  const { directory: hierarchy } = await findHierarchy();
  const directory = join(hierarchy, `nodecore-bench-${process.pid}-${count}`);
  mkdirSync(directory);
  stack.defer(() => removeTree(directory));
  const paths: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const path = index % 20 === 0 ? `/p${index}` : `/p${index - (index % 20)}/c${index}`;
    mkdirSync(join(directory, path));
    paths.push(path);
  }
  return { directory, paths: paths.sort() };
}

function removeTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(directory, entry.name));
  }
  rmdirSync(directory);
}
