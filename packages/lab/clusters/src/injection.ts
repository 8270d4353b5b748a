import { execFile } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isIPv4, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DiskSpec, PowerOnOptions } from '@nodecore/machine';
import { codeOf, writeFileAtomic } from '@nodecore/sys';
import { stringify } from 'yaml';

import { bundleName } from './container/place.ts';
import type { ClusterDirectory } from './directory.ts';
import type { ClusterPlan, PlannedNode } from './plan.ts';
import { urlHost } from './url-host.ts';
import { configurationPort } from './ports.ts';
import { type ClusterRequest, injectionMethods } from './request.ts';
import { changeState, readState } from './state.ts';

export type InjectionMethod = (typeof injectionMethods)[number];

const [mediumName, wordsName, keyName] = ['configuration.iso', 'stub-arguments', 'injection.key'];

/**
 * With what a machine is started so that it finds its configuration; undefined where it is given none, or has it already.
 *
 * @throws {Error} of xorriso.
 */
export async function injectionOf(
  plan: ClusterPlan,
  node: PlannedNode,
  directory: ClusterDirectory,
): Promise<
  (Required<Pick<PowerOnOptions, 'disks' | 'arguments'>> & Pick<PowerOnOptions, 'boot'>) | undefined
> {
  const { image, injection } = plan.request;
  if (injection === undefined || injection === 'environment' || (await isConfigured(directory, node)))
    return undefined;
  const words = await wordsOf(injection, plan, node, directory);
  const disks = injection === 'http' ? [] : [await medium(injection, node, directory)];
  if ('kernel' in image)
    return {
      disks,
      arguments: [],
      boot: { kind: 'kernel', ...image, arguments: withWords(image.arguments, words) },
    };
  // A file, because what is a program's argument is everybody's to read.
  const file = join(directory.node(node), wordsName);
  await writeFileAtomic(file, `io.systemd.stub.kernel-cmdline-extra=${words.join(' ')}`);
  return { disks, arguments: ['-smbios', `type=11,path=${file.replaceAll(',', ',,')}`] };
}

/** A command line with words, in place of those with their names. Pure. */
export function withWords(line: string, words: readonly string[]): string {
  const names = new Set(words.map((word) => word.split('=')[0]));
  const left = line.split(' ').filter((word) => !names.has(word.split('=')[0] ?? ''));
  return [...left, ...words].join(' ');
}

async function wordsOf(
  method: InjectionMethod,
  { lan }: ClusterPlan,
  node: PlannedNode,
  directory: ClusterDirectory,
): Promise<readonly string[]> {
  if (method === 'metal-iso') return ['os.config=metal-iso'];
  if (method === 'cidata') return ['os.platform=nocloud'];
  const token = await configurationToken(directory, node);
  return [`os.config=http://${urlHost(lan?.gateway ?? '')}:${configurationPort}/${token}/config.yaml`];
}

/** What the path of a machine's configuration begins with: nobody guesses it, and it is the same for every keeper. */
export async function configurationToken(
  directory: ClusterDirectory,
  { name }: Pick<PlannedNode, 'name'>,
): Promise<string> {
  const key = await keyOf(directory);
  return createHmac('sha256', key).update(name).digest('hex').slice(0, 32);
}

async function keyOf({ secrets }: ClusterDirectory): Promise<Buffer> {
  const path = join(secrets, keyName);
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const made = `${path}.${randomUUID()}`;
  await writeFileAtomic(made, randomBytes(32));
  try {
    await link(made, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error; // who asks at the same time has made one
    });
    return await readFile(path);
  } finally {
    await rm(made);
  }
}

/** Whether a machine has its configuration, and is given it no more. */
export async function isConfigured(
  directory: ClusterDirectory,
  { name }: Pick<PlannedNode, 'name'>,
): Promise<boolean> {
  return (await readState(directory)).configured?.includes(name) === true;
}

/** From now on a machine is given its configuration no more; what it was given it with goes. */
export async function markConfigured(directory: ClusterDirectory, node: PlannedNode): Promise<void> {
  const { configured = [] } = await readState(directory);
  if (!configured.includes(node.name))
    await changeState(directory, { configured: [...configured, node.name] });
  for (const name of [mediumName, wordsName, bundleName])
    await rm(join(directory.node(node), name), { force: true });
}

/** A disk with the filesystem of a CD, for root alone. */
async function medium(
  method: Exclude<InjectionMethod, 'http'>,
  node: PlannedNode,
  directory: ClusterDirectory,
): Promise<DiskSpec> {
  const own = directory.node(node);
  const [content, file] = [join(own, 'configuration'), join(own, mediumName)];
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
  return { driver: 'virtio', sizeBytes: size, serial: 'configuration', file: mediumName };
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

/** What keeps a method from what the machines start from, in words. */
export function injectionProblem(
  method: InjectionMethod | undefined,
  { image, uefi }: Pick<ClusterRequest, 'image' | 'uefi'>,
): string | undefined {
  if (method === undefined || 'kernel' in image) return undefined;
  if ('pxe' in image) return 'iPXE’s script has the kernel’s arguments, and is the same for all machines';
  return uefi ? undefined : 'without UEFI only a kernel of this computer is told where it is';
}
