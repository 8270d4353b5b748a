import { readdirSync } from 'node:fs';

import { identityOf, isRunning, killExactly, type ProcessIdentity, processStat } from '@nodecore/sys';

/** The processes below this one at any depth, as they are now; one that lost its parent is nobody's. */
export function processesBelow(pid: number): ProcessIdentity[] {
  const children = Map.groupBy(running(), ({ parent }) => parent);
  const found = [pid];
  for (const each of found) found.push(...(children.get(each) ?? []).map((child) => child.pid));
  return found.slice(1).flatMap((each) => identityOf(each) ?? []);
}

/**
 * Kills processes and waits until they are gone.
 *
 * @returns those that are still there after `patienceMs`: they wait inside the kernel.
 */
export async function endProcesses(
  processes: readonly ProcessIdentity[],
  patienceMs = 10_000,
): Promise<readonly ProcessIdentity[]> {
  for (const each of processes) killExactly(each);
  const limit = performance.now() + patienceMs;
  let left = processes.filter(isRunning);
  while (left.length > 0 && performance.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = left.filter(isRunning);
  }
  return left;
}

function running(): { readonly pid: number; readonly parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const { 4: parent } = processStat(Number(name));
    return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
  });
}
