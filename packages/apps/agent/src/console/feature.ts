import { readFile } from 'node:fs/promises';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { codeOf } from '@nodecore/sys';
import { aborted, Backoff } from '@nodecore/waiting';

import { api } from '../api/feature.ts';
import { kernelArguments } from '../image/kernel-arguments.ts';
import { machineSequences } from '../lifecycle/definitions.ts';
import { outsideAddresses } from '../lifecycle/machine-status.ts';
import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { Audience } from './audience.ts';
import { notesOf } from './notes.ts';
import { ownClient } from './own-client.ts';
import { Terminal } from './terminal.ts';

const defaultPath = '/dev/tty2';

/** Where the dashboard is, by the kernel's command line; undefined: nowhere. */
export function consoleOf(commandLine: string): string | undefined {
  const given = kernelArguments(commandLine);
  if (given.get(kernelArgument.dashboardDisabled) === '1') return undefined;
  const name = given.get(kernelArgument.dashboardConsole) ?? defaultPath;
  const path = name.startsWith('/dev/') ? name : `/dev/${name}`;
  // Terminals only: no path leads anywhere else.
  return /^\/dev\/(?:tty\d+|hvc\d+)$/u.test(path) ? path : undefined;
}

/** The dashboard on the machine's own second terminal: how the node is and how it is reached, for who stands before it. */
export const consoleDashboard: Feature<undefined> = feature({
  name: 'console',
  needs: { node, api },
  reads: [machineSequences, maintenanceStatuses],
  make: ({ node: { options, log, clock, store, address }, api: { server } }) => {
    const { image } = options;
    if (image === undefined) return { handle: undefined };
    const showOn = async (path: string, signal: AbortSignal): Promise<void> => {
      await using terminal = await Terminal.open(path);
      await terminal.keepKernelOnFirst().catch((error: unknown) => {
        log.debug({ code: codeOf(error), err: error }, 'the kernel logs on every terminal');
      });
      // Loaded where there is a terminal: most servers have none.
      const { show } = await import('./show.ts');
      const notes = {
        store,
        addresses: outsideAddresses,
        port: () => address().port,
        fingerprint: () => server.publicKey,
        isVirtual: path.startsWith('/dev/tty'),
      };
      const shown = {
        name: 'this node',
        client: ownClient(server.own('console', ['os:reader'])),
        node: undefined,
        explain: (error: unknown) => (error instanceof Error ? error.message : String(error)),
        notes: () => notesOf(notes),
      };
      await show(terminal, { clock, node: shown, audience: new Audience(path, { clock }) }, signal);
    };
    return {
      handle: undefined,
      run: async (signal) => {
        const path = consoleOf(await readFile(image.kernelCommandLine, 'utf8').catch(() => ''));
        const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
        while (!signal.aborted) {
          if (path === undefined) return await aborted(signal);
          const begunMs = clock.now();
          await showOn(path, signal).catch((error: unknown) => {
            log.debug({ code: codeOf(error), err: error, path }, 'there is no terminal for the dashboard');
          });
          if (clock.now() - begunMs > 60_000) backoff.reset();
          await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
        }
      },
    };
  },
});
