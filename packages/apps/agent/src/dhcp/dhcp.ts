import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tethered } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { keepProgram } from '../supervisor/program.ts';

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
  'domain_name_servers,domain_name,domain_search,host_name,ntp_servers',
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
  const { clock, interfaces = '/sys/class/net' } = parts;
  const clients = new Map<string, Client>();
  while (!signal.aborted) {
    const names = await ethernetInterfaces(interfaces);
    for (const [name, { gone }] of clients) if (!names.includes(name)) gone.abort();
    for (const name of names) if (!clients.has(name)) clients.set(name, follow(name, parts, clients, signal));
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
  }
  await Promise.all(Array.from(clients.values(), ({ running }) => running));
}

/** The program of one interface, until that is gone. */
type Client = { readonly gone: AbortController; readonly running: Promise<void> };

function follow(name: string, parts: DhcpParts, clients: Map<string, Client>, signal: AbortSignal): Client {
  const { clock, start = startDhcpcd } = parts;
  const log = parts.log.child({ program: 'dhcpcd', interface: name });
  const gone = new AbortController();
  const program = { log, clock, graceMs: endMs, start: () => start(name) };
  const running = keepProgram(program, AbortSignal.any([signal, gone.signal])).finally(() =>
    clients.delete(name),
  );
  return { gone, running };
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

function startDhcpcd(name: string): ChildProcess {
  // It ends with the agent; the next one would not get the interface otherwise. Addresses stay.
  return tethered(['dhcpcd', ...dhcpcdFlags, name], { stdio: 'ignore' });
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return '';
  }
}
