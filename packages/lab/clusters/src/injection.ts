import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import type { DiskSpec, PowerOnOptions } from '@nodecore/machine';
import { codeOf, writeFileAtomic } from '@nodecore/sys';
import { builtin } from '@nodecore/sys/pure';

import { bundleName } from './container/place.ts';
import type { ClusterDirectory } from './directory.ts';
import type { InjectionMethod } from './injection-method.ts';
import type { ClusterPlan, PlannedNode } from './plan.ts';
import { urlHost } from './url-host.ts';
import { configurationPort } from './ports.ts';
import { changeState, readState } from './state.ts';

const crypto = builtin('node:crypto');
const [mediumName, wordsName, keyName] = ['configuration.iso', 'stub-arguments', 'injection.key'];

/**
 * With what a machine is started so that it finds its configuration, and its kernel more arguments; undefined where it is given
 * none, or has it already.
 *
 * @param fromDisk it starts from its disk, whatever the others start from.
 * @throws {Error} of xorriso.
 */
export async function injectionOf(
  plan: ClusterPlan,
  node: PlannedNode,
  directory: ClusterDirectory,
  fromDisk = false,
): Promise<
  (Required<Pick<PowerOnOptions, 'disks' | 'arguments'>> & Pick<PowerOnOptions, 'boot'>) | undefined
> {
  const { image, injection, noStubArguments, moreArguments = [] } = plan.request;
  const isGiven =
    injection !== undefined && injection !== 'environment' && !(await isConfigured(directory, node));
  const more = fromDisk ? [] : moreArguments;
  if (!isGiven && more.length === 0) return undefined;
  const words = isGiven ? await wordsOf(injection, plan, node, directory) : [];
  const disks: DiskSpec[] = [];
  if (isGiven && injection !== 'http') {
    const { injectionMedium } = await import('./injection-medium.ts');
    disks.push(await injectionMedium(injection, node, directory));
  }
  if ('kernel' in image && !fromDisk)
    return {
      disks,
      arguments: [],
      boot: { kind: 'kernel', ...image, arguments: withWords(image.arguments, words) },
    };
  if (noStubArguments === true) return { disks, arguments: [] };
  // A file, because what is a program's argument is everybody's to read.
  const file = join(directory.node(node), wordsName);
  await writeFileAtomic(file, `io.systemd.stub.kernel-cmdline-extra=${[...more, ...words].join(' ')}`);
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
  if (method === 'metal-iso') return [`${kernelArgument.config}=metal-iso`];
  if (method === 'cidata') return [`${kernelArgument.platform}=nocloud`];
  const token = await configurationToken(directory, node);
  return [
    `${kernelArgument.config}=http://${urlHost(lan?.gateway ?? '')}:${configurationPort}/${token}/config.yaml`,
  ];
}

/** What the path of a machine's configuration begins with: nobody guesses it, and it is the same for every keeper. */
export async function configurationToken(
  directory: ClusterDirectory,
  { name }: Pick<PlannedNode, 'name'>,
): Promise<string> {
  const key = await keyOf(directory);
  return crypto().createHmac('sha256', key).update(name).digest('hex').slice(0, 32);
}

async function keyOf({ secrets }: ClusterDirectory): Promise<Buffer> {
  const path = join(secrets, keyName);
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const made = `${path}.${crypto().randomUUID()}`;
  await writeFileAtomic(made, crypto().randomBytes(32));
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
  if (!(await isConfigured(directory, node)))
    await changeState(directory, ({ configured = [] }) => ({
      configured: [...new Set([...configured, node.name])],
    }));
  for (const name of [mediumName, wordsName, bundleName])
    await rm(join(directory.node(node), name), { force: true });
}
