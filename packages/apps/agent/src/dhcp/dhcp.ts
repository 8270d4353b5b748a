import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import type { Program, Supervisor } from '@nodecore/supervisor';
import type { Clock } from '@nodecore/waiting';

import { kernelArgumentValues } from '../image/kernel-arguments.ts';

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
const dhcpcdFlags: readonly string[] = [
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

const rights = '+net_admin,+net_bind_service,+net_raw';
/** It reads what anybody on the network sends, and may do what addresses and routes need, and nothing else. */
const confined = [
  '--no-new-privs',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  `--bounding-set=-all,${rights}`,
] as const;

/** It has 3 MiB a process, of which there are a few; more than this is a defect of its. */
const limits = { memoryHigh: 48 << 20, memoryMax: 64 << 20, processes: 16 } as const;
/** What others run is ended before it: a node without an address is out of reach. */
const oomScoreAdjust = -500;

export type DhcpParts = {
  readonly services: () => Promise<Supervisor>;
  readonly clock: Clock;
  /** Interfaces that somebody else has. */
  readonly ignored?: ReadonlySet<string>;
  /** /sys/class/net */
  readonly interfaces?: string;
  readonly argv?: (name: string) => Program['argv'];
};

/** Keeps a dhcpcd on every Ethernet interface of the machine, as a service, until the signal fires. */
export async function followDhcp(parts: DhcpParts, signal: AbortSignal): Promise<void> {
  const { clock, ignored, interfaces = '/sys/class/net', argv = (name) => dhcpcdArgv(name) } = parts;
  const services = await parts.services();
  const kept = new Set<string>();
  while (!signal.aborted) {
    const names = (await ethernetInterfaces(interfaces)).filter((name) => ignored?.has(name) !== true);
    for (const name of kept) {
      if (names.includes(name)) continue;
      await services.withdraw(serviceOf(name));
      kept.delete(name);
    }
    for (const name of names) {
      if (kept.has(name)) continue;
      const program = {
        argv: argv(name),
        graceMs: endMs,
        limits,
        oomScoreAdjust,
        seccomp: 'service',
      } as const;
      await services.define({ id: serviceOf(name), program });
      kept.add(name);
    }
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
  }
  await Promise.all(Array.from(kept, (name) => services.withdraw(serviceOf(name))));
}

function serviceOf(name: string): string {
  return `dhcpcd-${name}`;
}

/** Those that the kernel's command line names as somebody else's. */
export function ignoredInterfaces(commandLine: string): ReadonlySet<string> {
  return new Set(kernelArgumentValues(commandLine, kernelArgument.interfaceIgnore));
}

/** What is started for an interface. */
export function dhcpcdArgv(name: string, dhcpcd: string = 'dhcpcd'): Program['argv'] {
  return ['setpriv', ...confined, '--', dhcpcd, ...dhcpcdFlags, name];
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

async function textOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return '';
  }
}
