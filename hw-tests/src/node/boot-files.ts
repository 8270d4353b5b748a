import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { KernelImage } from '@nodecore/clusters';
import { type Accelerator, tickRateKhz } from '@nodecore/machine';
import { agentCommand, agentDirectory, agentFile, debuggedAgent } from '@nodecore/release';
import { writeFileAtomic } from '@nodecore/sys';

import { nodeImage } from '../node-image.ts';
import { rigCache } from '../paths.ts';

/** Measured costs of keyslots would take minutes of an emulated processor; the keys come from an identity that is no secret. */
export const cheapKeys: readonly string[] = ['os.key-derivation=4,4096', 'os.proof-limit=60'];

/** Where a debugger is attached inside the machine. */
export const guestInspectPort = 9229;

/**
 * What is over the root then: how PID 1 starts the agent, and the agent with a map to its sources, which is written to the directory. From
 * outside nothing but the forwarded ports of the loopback leads into the machine.
 */
async function debugged(directory: string): Promise<Readonly<Record<string, string>>> {
  const file = join(directory, `${agentFile}.map`);
  const { code, map } = await debuggedAgent(file);
  await writeFileAtomic(file, map);
  const place = agentDirectory.slice(1);
  return {
    [`${place}/agent.arguments`]: agentCommand(`--inspect=0.0.0.0:${guestInspectPort}`),
    [`${place}/${agentFile}`]: code,
  };
}

/**
 * What QEMU starts our node OS from: kernel and first filesystem of this checkout's release, which is built when something has
 * changed. No firmware reads them, and the disks of a machine outlive them: a changed agent runs from the next start on.
 *
 * @param directory where they are written, each whole or not at all.
 */
export async function bootFiles(
  directory: string,
  accelerator: Accelerator,
  { isDebugged, onStep }: { readonly isDebugged: boolean; readonly onStep: (step: string) => void },
): Promise<KernelImage> {
  const tickRate = accelerator === 'tcg' ? await tickRateKhz(rigCache) : undefined;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const layer = isDebugged ? await debugged(directory) : {};
  const image = await nodeImage(layer, { tickRate, onStep, extraArguments: cheapKeys });
  const [kernel, initrd] = [join(directory, 'kernel'), join(directory, 'initrd')];
  for (const [view, path] of [
    [image.kernel, kernel],
    [image.initrd, initrd],
  ] as const) {
    await rm(`${path}.part`, { force: true });
    await view.writeTo(`${path}.part`);
    await rename(`${path}.part`, path);
  }
  return { kernel, initrd, arguments: image.commandLine };
}
