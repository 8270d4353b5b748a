import { readFileSync } from 'node:fs';

import type { AgentOptions } from './agent-options.ts';

/** The boot of a node: of its machine, or, where it shares the kernel with others, of its container. */
export function bootIdOf({ container }: Pick<AgentOptions, 'container'>): string {
  return container?.bootId ?? currentBootId();
}

/** What distinguishes this boot of the machine from all others: random, made by its kernel. */
export function currentBootId(path: string = '/proc/sys/kernel/random/boot_id'): string {
  return readFileSync(path, 'utf8').trim();
}
