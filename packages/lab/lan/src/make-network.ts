import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bridgeCommands } from './bridge.ts';
import { housed } from './host-namespaces.ts';
import { Namespace } from './namespace.ts';
import { runEach } from './run.ts';
import type { LanSpec } from './spec.ts';

/**
 * Makes the namespaces of a network and of its hosts, and the bridge with its cables.
 *
 * @param directory for what ip(8) reads.
 * @throws {LanError} `ERR_LAN_COMMAND`, also when one is there already; what was made before that stays.
 */
export async function makeNetwork(namespace: Namespace, spec: LanSpec, directory: string): Promise<void> {
  const [names, bridge] = ['netns.batch', 'ip.batch'].map((name) => join(directory, name)) as [
    string,
    string,
  ];
  const all = [namespace, ...housed(spec.hosts).map((host) => new Namespace(host.namespace))];
  await writeFile(bridge, bridgeCommands(spec), { mode: 0o600 });
  const commands: (readonly string[])[] = [];
  if (process.getuid?.() === 0) {
    await writeFile(names, all.map(({ name }) => `netns add ${name}\n`).join(''), { mode: 0o600 });
    commands.push(['ip', '-batch', names]);
  } else for (const each of all) await each.make();
  commands.push(namespace.ipCommand(['-batch', bridge]));
  // Between hosts that are at no bridge the gateway forwards, whether there is a way out or not.
  if (spec.hosts.some(({ links }) => links !== undefined))
    commands.push(namespace.inside(['sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward']));
  await runEach(commands);
}
