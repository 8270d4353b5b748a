import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

import { codeOf } from '@nodecore/sys';

import { api } from '../api/feature.ts';
import { kernelArguments } from '../image/kernel-arguments.ts';
import { taggedImageVersion } from '../image/os-release.ts';
import { outsideAddresses } from '../lifecycle/machine-status.ts';
import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { consoleController } from './console-controller.ts';
import { Terminal } from './terminal.ts';

const defaultPath = '/dev/tty2';

/** Where the page is, by the kernel's command line; undefined: nowhere. */
export function consoleOf(commandLine: string): string | undefined {
  const given = kernelArguments(commandLine);
  if (given.get('os.dashboard.disabled') === '1') return undefined;
  const name = given.get('os.dashboard.console') ?? defaultPath;
  const path = name.startsWith('/dev/') ? name : `/dev/${name}`;
  // Terminals only: no path leads anywhere else.
  return /^\/dev\/(?:tty\d+|hvc\d+)$/u.test(path) ? path : undefined;
}

/** What the machine's own second terminal shows: how the node is, and how it is reached. */
export const consolePage: Feature<undefined> = feature({
  name: 'console',
  needs: { node, api },
  make: ({ node: { options, log, clock, address }, api: { server } }) => {
    const { image } = options;
    if (image === undefined) return { handle: undefined };
    let opened: Terminal | undefined;
    let opening: Promise<Terminal | undefined> | undefined;
    const open = async (): Promise<Terminal | undefined> => {
      const path = consoleOf(await readFile(image.kernelCommandLine, 'utf8').catch(() => ''));
      if (path === undefined) return undefined;
      try {
        opened = await Terminal.open(path);
      } catch (error) {
        log.debug({ code: codeOf(error), path }, 'there is no terminal for the status page');
        return undefined;
      }
      await opened.keepKernelOnFirst().catch((error: unknown) => {
        log.debug({ code: codeOf(error), err: error }, 'the kernel logs on every terminal');
      });
      return opened;
    };
    return {
      handle: undefined,
      controllers: [
        consoleController({
          log,
          clock,
          terminal: () => (opening ??= open()),
          facts: async () => ({
            hostname: hostname(),
            version: (await taggedImageVersion(image.osRelease)) ?? '',
            addresses: outsideAddresses(),
            port: address().port,
            fingerprint: server.publicKey,
          }),
        }),
      ],
      dispose: async () => await opened?.[Symbol.asyncDispose](),
    };
  },
});
