import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

import { killWhere } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import type { Namespace } from './namespace.ts';
import { configOption } from './name-server.ts';
import { wordsOf } from './process-words.ts';

const pollMs = 10;
const limitMs = 5000;

/**
 * Ends what served a network for a process that was killed, and waits until its addresses are free. The name
 * server has lost its tether, because it serves as another user, and what is between a machine and the bridge has none. A machine is
 * nobody's server, and goes on.
 *
 * @param directory of the network: only a name server with this very configuration is ended.
 */
export async function endFormerServers(namespace: Namespace, directory: string): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  for (;;) {
    let waits = false;
    for (const pid of await namespace.processes()) {
      const words = wordsOf(pid);
      const comm = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      const isChaos = words.some((word) => word.includes('/chaos/chaos-main.'));
      if (isChaos || words.includes(configOption(directory)))
        killWhere(pid, () => isDeepStrictEqual(wordsOf(pid), words));
      // One that is ending has no command line any more, and its sockets for a moment.
      const isServer = words.includes(configOption(directory));
      if (isServer || isChaos || (comm !== '' && words.join('') === '')) waits = true;
    }
    if (!waits || limit.aborted) return;
    await systemClock.sleep(pollMs);
  }
}
