import { readdir, readFile, readlink } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import type { ExecutionContext } from 'ava';

/** Waits until what runs in a network namespace is as it should be. */
export async function membersAre(
  t: ExecutionContext,
  namespace: string,
  areWanted: (commands: readonly string[]) => boolean,
): Promise<void> {
  const until = performance.now() + 10_000;
  for (;;) {
    const commands = await commandsIn(namespace);
    if (areWanted(commands)) return;
    if (performance.now() > until) return t.fail(`in ${namespace}: ${commands.join()}`);
    await setImmediate();
  }
}

async function commandsIn(namespace: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    const link = await readlink(`/proc/${pid}/ns/net`).catch(() => '');
    if (link !== namespace) continue;
    const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined); // it has ended
    if (command !== undefined) found.push(command.trim());
  }
  return found;
}
