import type { ReadCgroupsRequestInit } from '@nodecore/api/cgroup';
import type { Schema } from '@nodecore/cgroup/schema';

import type { Format, Terminal } from '@nodecore/cli';
import type { CgroupsView } from './view.ts';

/** What is asked of every node. */
export type Job = {
  readonly schema: Schema;
  readonly request: ReadCgroupsRequestInit;
  readonly format: Format;
  readonly intervalMs: number;
};

/** cgroup v1's names for what v2 calls otherwise. */
const renamed: Readonly<Record<string, string>> = { blkio: 'io', cpuacct: 'cpu' };

/** Says why columns are unset, when a cgroup v1 hierarchy has what they need. */
export function warn(node: string, view: CgroupsView, { files }: Schema, { error }: Terminal): void {
  // Pressure and, of cpu.stat, what was used are there without a controller.
  const ofControllers = files.filter((file) => !file.endsWith('.pressure') && file !== 'cpu.stat');
  const needed = new Set(ofControllers.map((file) => file.split('.')[0]));
  const missing = view.elsewhere.filter((controller) => needed.has(renamed[controller] ?? controller));
  if (missing.length > 0)
    error.write(`osctl: ${node}: ${missing.join(', ')} on cgroup v1: what v2 would tell of it is unset\n`);
}
