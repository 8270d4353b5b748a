import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, tethered } from '@nodecore/sys';
import { Backoff, type Clock, onAbort } from '@nodecore/waiting';

import type { Log } from '../log.ts';

/** if_arp.h: ARPHRD_ETHER. */
const ethernet = '1';
/** New interfaces are seen so soon. */
const lookMs = 2000;
/** dhcpcd gives leases back and ends; longer than this it does not get. */
const endMs = 5000;

/**
 * No files of its own are read, no programs of its own are run; in the foreground, with its addresses kept when it ends: what
 * still runs needs them until the machine is off.
 */
export const dhcpcdFlags: readonly string[] = [
  '--nobackground',
  '--config',
  '/dev/null',
  '--script',
  '/dev/null',
  '--persistent',
  '--noipv4ll',
  // To ask the network first whether somebody has the address takes five seconds; its server is who knows.
  '--noarp',
  // Without files of its own it asks for none of these.
  '--option',
  'domain_name_servers,domain_name,domain_search,host_name',
];

export type DhcpParts = {
  readonly log: Log;
  readonly clock: Clock;
  /** /sys/class/net */
  readonly interfaces?: string;
  readonly start?: (name: string) => ChildProcess;
};

/** Keeps a dhcpcd on every Ethernet interface of the machine until the signal fires. */
export async function followDhcp(parts: DhcpParts, signal: AbortSignal): Promise<void> {
  const { clock, log, interfaces = '/sys/class/net' } = parts;
  const clients = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    for (const name of await ethernetInterfaces(interfaces)) {
      if (clients.has(name)) continue;
      const client = keep(name, parts, signal)
        .catch((error: unknown) => log.error({ name, err: error }, 'an interface gets no address'))
        .finally(() => clients.delete(name));
      clients.set(name, client);
    }
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
  }
  await Promise.all(clients.values());
}

/** Those that a cable, or a hypervisor, is at the other end of: no bridges, no pairs, nothing that a program has made. */
export async function ethernetInterfaces(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(directory)).toSorted()) {
    const type = await textOf(join(directory, name, 'type'));
    const entries: string[] = await readdir(join(directory, name)).catch(() => []);
    if (type === ethernet && entries.includes('device')) found.push(name);
  }
  return found;
}

async function keep(name: string, parts: DhcpParts, signal: AbortSignal): Promise<void> {
  const { log, clock, interfaces = '/sys/class/net', start = startDhcpcd } = parts;
  const backoff = new Backoff({ firstMs: 1000, largestMs: 30_000 });
  while (!signal.aborted && (await ethernetInterfaces(interfaces)).includes(name)) {
    const child = start(name);
    log.info({ interface: name, pid: child.pid }, 'asks for an address');
    const code = await ended(child, clock, signal);
    if (signal.aborted) return;
    log.warn({ interface: name, code }, 'dhcpcd has ended');
    await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
  }
}

function startDhcpcd(name: string): ChildProcess {
  // It ends with the agent; the next one would not get the interface otherwise. Addresses stay.
  return tethered(['dhcpcd', ...dhcpcdFlags, name], { stdio: 'ignore' });
}

/** @returns the exit code, or why it was not started. */
async function ended(child: ChildProcess, clock: Clock, signal: AbortSignal): Promise<number | string> {
  const over = new AbortController();
  const exit = once(child, 'exit').then(
    ([code, killed]: unknown[]) => (code as number | null) ?? String(killed),
    (error: unknown) => codeOf(error) ?? 'error',
  );
  using _listener = onAbort(signal, () => {
    child.kill('SIGTERM');
    clock.sleep(endMs, over.signal).then(
      () => child.kill('SIGKILL'),
      () => {}, // ended in time
    );
  });
  try {
    return await exit;
  } finally {
    over.abort();
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return '';
  }
}
