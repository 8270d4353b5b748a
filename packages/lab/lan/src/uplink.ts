import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type HostRoute, hostRoutes, overlapping } from './host-routes.ts';
import type { Namespace } from './namespace.ts';
import { runEach } from './run.ts';
import { cablesOf, type LanSpec } from './spec.ts';
import {
  inside,
  insideCommands,
  type Link,
  linkOf,
  outsideCommands,
  outsideName,
  uplinkRules,
} from './uplink-commands.ts';

/** Rules are there before anything is forwarded. What the kernel has for the host is not touched: these are the namespace's own. */
const script = `ip -batch "$1" && nft -f "$2" || exit
for each in ipv4/ip_forward ipv6/conf/all/forwarding; do
  [ ! -e /proc/sys/net/$each ] || echo 1 >/proc/sys/net/$each || exit
done`;

/**
 * Has the host reach the addresses of a network: a cable from the namespace to the host, and the host's route over it. What is there
 * already is mended. It goes with the namespace. Nothing is made where the host leads to these addresses otherwise.
 *
 * @param directory for what the programs read.
 * @returns why the host does not reach them, in words; undefined when it does. It never fails: doors are there all the same.
 */
export async function makeUplink(
  namespace: Namespace,
  spec: LanSpec,
  directory: string,
): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'routes are for root to make';
  const link = linkOf(spec);
  try {
    const [routes, isThere] = await Promise.all([hostRoutes(), hasDevice(link.outside)]);
    const problem = overlapProblem(routes, link);
    if (problem !== undefined) {
      await removeUplink(namespace); // one from before would be in the way of what came meanwhile
      return problem;
    }
    const files = [join(directory, 'uplink.batch'), join(directory, 'uplink.nft')] as const;
    await writeFile(files[0], insideCommands(link, spec.mtu, isThere ? undefined : process.pid), {
      mode: 0o600,
    });
    await writeFile(files[1], uplinkRules(link, spec.withoutMasquerade, cablesOf(spec)), { mode: 0o600 });
    const routed = routes.filter(({ device }) => device === link.outside);
    const file = join(directory, 'uplink-host.batch');
    const known = routed.map(({ destination }) => destination);
    await writeFile(file, outsideCommands(link, known), { mode: 0o600 });
    await runEach([namespace.inside(['sh', '-c', script, 'sh', ...files]), ['ip', '-batch', file]]);
    return undefined;
  } catch (error) {
    await removeUplink(namespace).catch(() => {}); // the first failure is the one to tell
    return error instanceof Error ? error.message : String(error);
  }
}

/** Has a network forward by its rules where it has no cable. @throws {LanError} `ERR_LAN_COMMAND` */
export async function forwardOut(namespace: Namespace, spec: LanSpec, directory: string): Promise<void> {
  const file = join(directory, 'uplink.nft');
  await writeFile(file, uplinkRules({ families: [] }, spec.withoutMasquerade, cablesOf(spec)), {
    mode: 0o600,
  });
  await namespace.run(['sh', '-c', script, 'sh', '/dev/null', file]);
}

/** Takes the cable away, before the namespace goes: the kernel takes its time for that. Only this network's own end names it. */
export async function removeUplink(namespace: Namespace): Promise<void> {
  if (process.getuid?.() !== 0 || !(await hasUplink(namespace.name))) return;
  if (await namespace.exists()) await namespace.ip(['link', 'delete', inside]);
}

/** Whether the host has its end of the cable of a network. @param namespace its name. */
export async function hasUplink(namespace: string): Promise<boolean> {
  return await hasDevice(outsideName(namespace));
}

async function hasDevice(name: string): Promise<boolean> {
  const table = await readFile('/proc/net/dev', 'utf8');
  return table.split('\n').some((line) => line.trimStart().startsWith(`${name}:`));
}

function overlapProblem(routes: readonly HostRoute[], { outside, families }: Link): string | undefined {
  for (const { cidr, host, bits } of families)
    for (const network of [cidr, `${host}/${bits}`]) {
      const found = overlapping(routes, network, outside);
      if (found !== undefined)
        return `this computer has ${found.destination} at ${found.device}, and ${network} overlaps it`;
    }
  return undefined;
}
