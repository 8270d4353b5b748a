import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isIPv4, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DiskSpec } from '@nodecore/machine';
import { stringify } from 'yaml';

import type { ClusterDirectory } from './directory.ts';
import type { InjectionMethod } from './injection-method.ts';
import type { PlannedNode } from './plan.ts';

/** The file of a machine's medium, in its directory. */
export const configurationMedium = 'configuration.iso';

/** A disk with the filesystem of a CD, for root alone. */
export async function injectionMedium(
  method: Exclude<InjectionMethod, 'http'>,
  node: PlannedNode,
  directory: ClusterDirectory,
): Promise<DiskSpec> {
  const own = directory.node(node);
  const [content, file] = [join(own, 'configuration'), join(own, configurationMedium)];
  const text = await readFile(join(directory.secrets, `${node.name}.yaml`), 'utf8');
  await rm(content, { recursive: true, force: true });
  await mkdir(content, { mode: 0o700 });
  try {
    for (const [name, bytes] of Object.entries(mediumFiles(method, node, text)))
      await writeFile(join(content, name), bytes, { mode: 0o600 });
    const part = `${file}.part`;
    await rm(part, { force: true });
    await writeFile(part, '', { mode: 0o600 }); // xorriso keeps it
    const label = ['-quiet', '-J', '-R', '-V', method];
    await promisify(execFile)('xorriso', ['-as', 'mkisofs', ...label, '-o', part, content]);
    await rename(part, file);
  } finally {
    await rm(content, { recursive: true, force: true });
  }
  const { size } = await stat(file);
  return { driver: 'virtio', sizeBytes: size, serial: 'configuration', file: configurationMedium };
}

/** The files of a medium with a machine's configuration. Pure. */
export function mediumFiles(
  method: Exclude<InjectionMethod, 'http'>,
  { name, uuid, mac, address, address6 }: PlannedNode,
  configuration: string,
): Readonly<Record<string, string>> {
  if (method === 'metal-iso') return { 'config.yaml': configuration };
  return {
    'user-data': configuration,
    'meta-data': stringify({ 'instance-id': uuid, 'local-hostname': name }),
    'network-config': stringify({
      version: 2,
      ethernets: {
        net0: {
          match: { macaddress: mac },
          dhcp4: isIPv4(address),
          ...((address6 !== undefined || isIPv6(address)) && { dhcp6: true }),
        },
      },
    }),
  };
}
