import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ended, readyFile, tetheredCommand } from '@nodecore/sys';

import { dnsmasqConfig } from './dnsmasq.ts';
import { LanError } from './errors.ts';
import type { Namespace } from './namespace.ts';
import type { LanSpec } from './spec.ts';

/** A network's DHCP and DNS server. */
export type NameServer = { readonly lost: Promise<void>; close(): Promise<void> };

/** By which a network's server is known among processes. */
export function configOption(directory: string): string {
  return `--conf-file=${join(directory, configName)}`;
}

const configName = 'dnsmasq.conf';

/**
 * Starts dnsmasq in a namespace. It ends with the result; when this process is killed, the next server of the network ends
 * it, or removes it with the namespace. What it has to say goes to `dnsmasq.log` in the directory.
 *
 * @throws {LanError} `ERR_LAN_COMMAND` with its words when it does not start.
 */
export async function startNameServer(
  namespace: Namespace,
  spec: LanSpec,
  directory: string,
): Promise<NameServer> {
  const [config, pid, log] = [configName, 'dnsmasq.pid', 'dnsmasq.log'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  await writeFile(config, dnsmasqConfig(spec), { mode: 0o644 });
  await rm(pid, { force: true });
  const output = await open(log, 'a', 0o600);
  try {
    // It reads and writes its files as root, and serves as nobody; where nobody is root it serves as who it is.
    const users = process.getuid?.() === 0 ? [] : ['--user=', '--group='];
    const dnsmasq = ['dnsmasq', configOption(directory), `--pid-file=${pid}`, ...users];
    const [file, ...words] = tetheredCommand(namespace.inside(dnsmasq));
    const child = spawn(file, words, { stdio: ['ignore', output.fd, output.fd], detached: true });
    await readyFile(child, pid, () => new LanError('ERR_LAN_COMMAND', 'dnsmasq ended at once')).catch(
      async (error: unknown) => {
        const said = (await readFile(log, 'utf8')).trim().split('\n').at(-1);
        throw new LanError('ERR_LAN_COMMAND', `dnsmasq does not start: ${said}`, { cause: error });
      },
    );
    return { lost: ended(child), close: () => closed(child) };
  } finally {
    await output.close();
  }
}

async function closed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended(child);
}
