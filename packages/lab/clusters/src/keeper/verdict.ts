import { accessSync, constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';

import { type Accelerator, chooseAccelerator, kernelBoots } from '@nodecore/machine';

import type { ClusterDirectory } from '../directory.ts';
import { currentImage } from '../kernel-files.ts';
import type { ClusterPlan } from '../plan.ts';

/** What a verdict is made of. */
export type VerdictParts = {
  readonly plan: ClusterPlan;
  readonly directory: ClusterDirectory;
  /** Where it is kept as long as this computer is on. */
  readonly cache: string;
  /** Gives a file of this computer for a URL. */
  readonly fetch: (url: string) => Promise<string>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
};

/**
 * What runs the machines of a cluster: what was asked for; or KVM, when a kernel came up with it on this computer since that was switched on;
 * else emulation. The trial takes a second, and at most eight.
 *
 * @throws the reason of `signal`.
 */
export async function verdictOf({
  plan,
  directory,
  cache,
  fetch,
  say,
  signal,
}: VerdictParts): Promise<Accelerator> {
  const { accelerator: asked } = plan.request;
  if (asked !== undefined) return asked;
  if (!hasKvm()) {
    say('machines are emulated: there is no /dev/kvm for this user');
    return 'tcg';
  }
  const kernel = await kernelOf(plan, directory, fetch);
  signal.throwIfAborted();
  if (kernel === undefined) {
    say('machines are emulated: there is no kernel to try KVM with');
    return 'tcg';
  }
  const verdict = await chooseAccelerator({
    guest: `a cluster since ${await bootId()}`,
    cache,
    boots: () => kernelBoots({ kernel, directory: join(directory.path, 'trial'), signal }),
  });
  say(
    verdict === 'kvm'
      ? 'machines run by KVM'
      : 'machines are emulated: no kernel comes up with the KVM of this computer',
  );
  return verdict;
}

function hasKvm(): boolean {
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Another kernel, or what a cloud does to this computer while it is off, may change what its processor can. */
async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** The kernel that the machines start from, or the factory's of their image, or this computer's own. */
async function kernelOf(
  { request }: ClusterPlan,
  directory: ClusterDirectory,
  fetch: (url: string) => Promise<string>,
): Promise<string | undefined> {
  const { factory, schematic, version } = request;
  const image = await currentImage(directory, request.image);
  if ('kernel' in image) return image.kernel;
  const url = `${factory}/image/${schematic}/${version}/kernel-amd64`;
  const isMade = 'url' in image || 'pxe' in image || ('iso' in image && URL.canParse(image.iso));
  if (factory !== '' && isMade) return await fetch(url).catch(() => undefined); // what it starts from tells more
  const own = `/boot/vmlinuz-${release()}`;
  return await access(own, constants.R_OK).then(
    () => own,
    () => undefined,
  );
}
