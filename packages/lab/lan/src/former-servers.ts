import { readFile } from 'node:fs/promises';

import { systemClock } from '@nodecore/waiting';

import { kill, type Namespace } from './namespace.ts';
import { configOption } from './name-server.ts';

const pollMs = 10;
const limitMs = 5000;

/**
 * Ends what served a network for a process that was killed, and waits until its addresses are free. The doors' process is
 * killed by its tether, a moment later; the name server has lost its own, because it serves as another user; and what is
 * between a machine and the bridge has none. A machine is nobody's server, and goes on.
 *
 * @param directory of the network: only a name server with this very configuration is ended.
 */
export async function endFormerServers(namespace: Namespace, directory: string): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  for (;;) {
    let waits = false;
    for (const pid of await namespace.processes()) {
      const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
      const comm = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      const isChaos = words.some((word) => word.includes('/chaos/chaos-main.'));
      if (isChaos || words.includes(configOption(directory))) kill(pid);
      // One that is ending has no command line any more, and its sockets for a moment.
      const isServer = words.some(
        (word) => word === configOption(directory) || word.includes('/inside-main.'),
      );
      if (isServer || isChaos || (comm !== '' && words.join('') === '')) waits = true;
    }
    if (!waits || limit.aborted) return;
    await systemClock.sleep(pollMs);
  }
}
