import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { ContainerPlace } from './place.ts';
import { runtimeCommand } from './runtime.ts';

/** Has the runtime of a container do something with it. @throws {Error} with what the runtime says. */
export async function callRuntime(
  { runtime, runtimeRoot }: ContainerPlace,
  ...words: readonly string[]
): Promise<void> {
  const [program, ...first] = runtimeCommand(runtime);
  await promisify(execFile)(program, [...first, '--root', runtimeRoot, ...words]);
}
