import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

/** What a service may use; without one it is not limited. */
export type ServiceLimits = {
  /** Bytes that are never taken from it, that are taken last, above which it is slowed down, and that it gets at most. */
  readonly memoryMin?: number;
  readonly memoryLow?: number;
  readonly memoryHigh?: number;
  readonly memoryMax?: number;
  /** Processes and threads. */
  readonly processes?: number;
  /** Share of the processors beside others, 1 to 10000; 100 is usual. */
  readonly cpuWeight?: number;
};

const files: Readonly<Record<keyof ServiceLimits, string>> = {
  memoryMin: 'memory.min',
  memoryLow: 'memory.low',
  memoryHigh: 'memory.high',
  memoryMax: 'memory.max',
  processes: 'pids.max',
  cpuWeight: 'cpu.weight',
};
const controllers = ['cpu', 'memory', 'pids', 'io'];
const lookMs = 10;
const endMs = 5000;

/** A cgroup (v2) for each service, below one of ours. */
export class ServiceCgroups {
  readonly #root: string;

  /** @param root such as `/sys/fs/cgroup/system`; made when it is not there. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * An empty cgroup with these limits: what a former life left in it is ended.
   *
   * @returns its directory, and the limits that this hierarchy has no controller for.
   */
  async prepare(
    id: string,
    limits: ServiceLimits,
  ): Promise<{ readonly path: string; readonly missing: readonly string[] }> {
    const path = join(this.#root, id);
    await mkdir(path, { recursive: true });
    for (const controller of controllers)
      for (const above of [join(this.#root, '..'), this.#root])
        await written(above, 'cgroup.subtree_control', `+${controller}`);
    await this.#empty(path);
    const missing: string[] = [];
    for (const [limit, file] of Object.entries(files) as [keyof ServiceLimits, string][]) {
      const value = limits[limit];
      // One of a former definition is taken back.
      const isWritten = await written(path, file, value === undefined ? usual(limit) : String(value));
      if (!isWritten && value !== undefined) missing.push(file);
    }
    // Half a service is none: it ends as a whole, and begins anew.
    await written(path, 'memory.oom.group', '1');
    return { path, missing };
  }

  /** Ends whatever is in it, and takes it away. */
  async remove(id: string): Promise<void> {
    const path = join(this.#root, id);
    try {
      await this.#empty(path);
      await rmdir(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EBUSY') throw error;
    }
  }

  async #empty(path: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < endMs; waitedMs += lookMs) {
      const events = await readFile(join(path, 'cgroup.events'), 'latin1').catch(() => '');
      if (!events.includes('populated 1')) return;
      await written(path, 'cgroup.kill', '1');
      await systemClock.sleep(lookMs);
    }
  }
}

function usual(limit: keyof ServiceLimits): string {
  if (limit === 'cpuWeight') return '100';
  return limit === 'memoryMin' || limit === 'memoryLow' ? '0' : 'max';
}

/** @returns false when the kernel has no such file, or refuses the value. */
async function written(directory: string, file: string, value: string): Promise<boolean> {
  try {
    await writeFile(join(directory, file), value);
    return true;
  } catch {
    return false;
  }
}
