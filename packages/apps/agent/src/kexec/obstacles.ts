import { readFile } from 'node:fs/promises';

import type { Inventory } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';

import type { LoaderFacts } from '../upgrades/boot-partition.ts';
import type { SealedParts } from './sealed-volumes.ts';

/** What is asked of the machine before a kernel is loaded. */
export type Surroundings = {
  /** As Node.js calls it. */
  readonly processor: string;
  /** What the kernel says against it. */
  readonly kernel: () => Promise<string | undefined>;
  readonly secureBoot: () => Promise<boolean>;
  readonly loader: () => Promise<Pick<LoaderFacts, 'selected'>>;
  /** A variable by which the firmware was told to start something else. */
  readonly wish: () => Promise<string | undefined>;
  readonly hasTpm: () => Promise<boolean>;
  /** Undefined while disks are being looked at. */
  readonly inventory: () => Inventory | undefined;
  readonly configuration: () => SealedParts['configuration'];
  readonly sealedVolume: (parts: SealedParts) => Promise<string | undefined>;
};

/** What keeps a machine from starting a kernel without its firmware, whatever its menu has; undefined when nothing does. */
export async function obstacleOf(around: Surroundings): Promise<string | undefined> {
  const { processor, kernel, secureBoot, loader, wish, hasTpm } = around;
  if (processor !== 'x64') return `it is not proven on ${processor}`;
  const disabled = await kernel();
  if (disabled !== undefined) return disabled;
  if (await secureBoot()) return 'Secure Boot is on, and nobody would check what is started';
  if ((await loader()).selected === undefined) return 'no boot loader has started this system';
  const wanted = await wish();
  if (wanted !== undefined) return `${wanted} has the firmware start something else next`;
  if (!(await hasTpm())) return undefined;
  const inventory = around.inventory();
  if (inventory === undefined) return 'the disks are still being looked at';
  const sealed = await around.sealedVolume({ inventory, configuration: around.configuration() });
  return sealed && `the TPM gives out the key of ${sealed} for what the firmware has measured`;
}

/** Whether the kernel may load another one; `kernel.kexec_load_disabled` is the machine's own setting. @param path another one in tests. */
export async function kernelObstacle(
  path: string = '/proc/sys/kernel/kexec_load_disabled',
): Promise<string | undefined> {
  const value = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (value === undefined) return 'the kernel can load no other one';
  return value.trim() === '0' ? undefined : 'kernel.kexec_load_disabled is set';
}
